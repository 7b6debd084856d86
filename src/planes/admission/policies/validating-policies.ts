import type { PlaneConfigurations } from '../../../store/objects/model/plane-configuration.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { KubeError } from '../../errors/kube-error.ts'
import {
  createEvaluationBudget,
  type EvaluationBudget,
} from '../../expressions/evaluation-budget.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import type { PlaneAuthorizer } from '../../model/access.ts'
import { evaluateWithAuthorizer } from '../expressions/evaluate-with-authorizer.ts'
import { resourceKey } from '../../model/resource-type.ts'
import { isExempt, isNamespaceRequest } from '../matching/admission-subject.ts'
import { admissionVariables } from '../matching/admission-variables.ts'
import { readNamespaceOnce } from '../matching/read-namespace-once.ts'
import { matchRequest, type ReadNamespace } from '../matching/match-constraints.ts'
import type { ConvertObject } from '../webhooks/call-webhook.ts'
import { evaluatePolicy, type Violation } from './evaluate-policy.ts'
import { type Binding, policiesOf, type Policy } from './policy.ts'
import { findParameters, type ParameterSource } from './policy-parameters.ts'

/** The parts that admission by policies depends on. */
export interface PolicyDependencies {
  readonly configurations: PlaneConfigurations
  readonly parameters: ParameterSource
  readonly readNamespace: ReadNamespace
  readonly authorizer: PlaneAuthorizer
  readonly convert: ConvertObject
}

/** The most steps of all policies of a request together. */
const MAX_STEPS = 1_000_000

interface Denial extends Violation {
  readonly policy: Policy
  readonly binding: Binding
}

/** Evaluates the ValidatingAdmissionPolicies of a plane that are bound. */
export function validatingPolicies(dependencies: PolicyDependencies): AdmissionPlugin {
  const { configurations } = dependencies
  return {
    validate: async (request) => {
      if (isExempt(request)) return
      const policies = policiesOf(await configurations.of(request.plane))
      if (policies.length === 0) return
      const budget = createEvaluationBudget(MAX_STEPS)
      const readNamespace = readNamespaceOnce(dependencies.readNamespace)
      for (const policy of policies) {
        const denial = await evaluate(policy, request, {
          ...dependencies,
          budget,
          readNamespace,
        })
        await budget.pause()
        if (denial) throw denied(request, denial)
      }
    },
  }
}

interface Circumstances extends PolicyDependencies {
  readonly budget: EvaluationBudget
}

/** Sends the warnings of a policy and returns its first denial; null without one. */
async function evaluate(
  policy: Policy,
  request: AdmissionRequest,
  circumstances: Circumstances,
): Promise<Denial | null> {
  const { readNamespace } = circumstances
  const version = await matchRequest(policy.constraints, request, readNamespace)
  if (version === null) return null
  let first: Denial | null = null
  for (const binding of policy.bindings) {
    if ((await matchRequest(binding.constraints, request, readNamespace)) === null) continue
    for (const violation of await violationsOf(policy, binding, {
      request,
      version,
      circumstances,
    })) {
      const denial = { ...violation, policy, binding }
      if (binding.actions.includes('Warn')) {
        const origin = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`
        request.warn(`Validation failed for ${origin}: ${violation.message}`)
      }
      if (violation.isConfiguration || binding.actions.includes('Deny')) first ??= denial
    }
  }
  return first
}

interface PolicyViolation extends Violation {
  /** Whether the binding is misconfigured, which denies whatever its actions are. */
  readonly isConfiguration: boolean
}

async function violationsOf(
  policy: Policy,
  binding: Binding,
  call: {
    readonly request: AdmissionRequest
    readonly version: string
    readonly circumstances: Circumstances
  },
): Promise<readonly PolicyViolation[]> {
  const { request, version, circumstances } = call
  try {
    const bound = { policy, binding }
    const parameters = await findParameters(bound, request, circumstances.parameters)
    if (parameters.length === 0) return []
    const converted = await inVersion(request, version, circumstances)
    const base = {
      ...admissionVariables(converted),
      namespaceObject: await namespaceObject(request, circumstances),
    }
    const { authorizer, budget } = circumstances
    const violations = await evaluateWithAuthorizer(authorizer, request, async (value) => {
      const found: Violation[] = []
      for (const params of parameters) {
        found.push(
          ...(await evaluatePolicy(policy, { ...base, params, authorizer: value }, budget)),
        )
      }
      return found
    })
    return violations.map((violation) => ({ ...violation, isConfiguration: false }))
  } catch (error) {
    if (policy.failsOpen) return []
    const message = `failed to configure binding: ${errorMessage(error)}`
    return [{ message, reason: '', isConfiguration: true }]
  }
}

/** The request with objects in another version. */
export async function inVersion(
  request: AdmissionRequest,
  version: string,
  { convert }: PolicyDependencies,
): Promise<AdmissionRequest> {
  if (version === request.version) return request
  const { type, object, oldObject } = request
  return {
    ...request,
    object: object && (await convert(type, object, version)),
    oldObject: oldObject && (await convert(type, oldObject, version)),
  }
}

/** The namespace of a request as an object; null for cluster-scoped resources. */
export function namespaceObject(request: AdmissionRequest, { readNamespace }: PolicyDependencies) {
  const { plane, namespace } = request
  if (namespace === '' || isNamespaceRequest(request)) return Promise.resolve(null)
  return readNamespace(plane, namespace)
}

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
}

function denied(
  { type, name }: AdmissionRequest,
  { policy, binding, message, reason }: Denial,
): KubeError {
  const origin = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`
  const detail = `${origin} denied request: ${message}`
  const target = name === '' ? resourceKey(type) : `${resourceKey(type)} "${name}"`
  const statusReason = reason === '' ? 'Invalid' : reason
  return new KubeError('forbidden', `${target} is forbidden: ${detail}`, {
    code: Object.hasOwn(CODES, statusReason) ? (CODES[statusReason] ?? 422) : 422,
    statusReason,
    details: { name, group: type.group, kind: type.plural, causes: [{ message: detail }] },
  })
}
