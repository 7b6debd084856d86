import type { PlaneConfigurations } from '../../store/objects/model/plane-configuration.ts'
import type { Log } from '../../lib/log/log.ts'
import type { PlaneAuthorizer } from '../model/access.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import { matchConditionCompiler } from './expressions/admission-language.ts'
import type { ReadNamespace } from './matching/match-constraints.ts'
import { protectedNamespaces } from './namespaces/protected-namespaces.ts'
import type { ParameterSource } from './policies/policy-parameters.ts'
import { mutatingPolicies } from './policies/mutating-policies.ts'
import { validatingPolicies } from './policies/validating-policies.ts'
import { type CountObjects, resourceQuotas } from './quota/resource-quotas.ts'
import type { WebhookClient } from './webhook-client.ts'
import type { ConvertObject } from './webhooks/call-webhook.ts'
import { mutatingWebhooks } from './webhooks/mutating-webhooks.ts'
import { validatingWebhooks } from './webhooks/validating-webhooks.ts'

/** The parts that admission depends on. */
export interface AdmissionOptions {
  /** Configurations must hold webhook configurations, policies, bindings and quotas. */
  readonly configurations: PlaneConfigurations
  readonly webhooks: WebhookClient
  readonly parameters: ParameterSource
  readonly readNamespace: ReadNamespace
  readonly authorizer: PlaneAuthorizer
  readonly convert: ConvertObject
  readonly count: CountObjects
  readonly log: Log
  /** Members of the chain that run after mutation and before other validation. */
  readonly others?: readonly AdmissionPlugin[]
}

/** The chain of admission in its order. A plane without configurations of admission pays nothing. */
export function createAdmission(options: AdmissionOptions): readonly AdmissionPlugin[] {
  const { configurations, webhooks, readNamespace, authorizer, convert, log } = options
  const { others = [] } = options
  const dependencies = {
    configurations,
    client: webhooks,
    compile: matchConditionCompiler,
    readNamespace,
    authorizer,
    convert,
    log,
  }
  return [
    protectedNamespaces,
    withMutatingPolicies(mutatingWebhooks(dependencies), options),
    ...others,
    validatingPolicies(options),
    validatingWebhooks(dependencies),
    resourceQuotas(options),
  ]
}

/** Policies change objects before webhooks. */
function withMutatingPolicies(webhooks: AdmissionPlugin, options: AdmissionOptions) {
  const callWebhooks = webhooks.mutate ?? (({ object }) => Promise.resolve(object))
  return { ...webhooks, mutate: mutatingPolicies(options, callWebhooks) }
}
