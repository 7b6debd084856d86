import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import type { Log } from '../../../lib/log/log.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import type { PlaneConfigurations } from '../../../store/objects/model/plane-configuration.ts'
import type { PlaneAuthorizer } from '../../model/access.ts'
import { evaluateWithAuthorizer } from '../expressions/evaluate-with-authorizer.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceType } from '../../model/resource-type.ts'
import { type AdmissionVariables, admissionVariables } from '../matching/admission-variables.ts'
import { matchRequest, type ReadNamespace } from '../matching/match-constraints.ts'
import { type CompileExpression, meetsConditions } from '../matching/match-conditions.ts'
import { WebhookCallError, type WebhookClient } from '../webhook-client.ts'
import { createReview, readVerdict } from './admission-review.ts'
import { admissionFailure, dryRunUnsupported, webhookDenial } from './denial.ts'
import type { Webhook } from './webhook.ts'

/** Converts an object to another version of its resource. */
export type ConvertObject = (
  type: ResourceType,
  object: ApiObject,
  version: string,
) => Promise<ApiObject>

/** The parts that admission by webhooks depends on. */
export interface WebhookDependencies {
  readonly configurations: PlaneConfigurations
  readonly client: WebhookClient
  readonly compile: CompileExpression<AdmissionVariables>
  readonly readNamespace: ReadNamespace
  readonly authorizer: PlaneAuthorizer
  readonly convert: ConvertObject
  readonly log: Log
}

/** The version in which the webhook receives the request; null if it is not for the webhook. */
export async function matchWebhook(
  webhook: Webhook,
  request: AdmissionRequest,
  { readNamespace, authorizer, log }: WebhookDependencies,
): Promise<string | null> {
  const version = await matchRequest(webhook.constraints, request, readNamespace)
  if (version === null) return null
  if (webhook.conditions.length === 0) return version
  try {
    const variables = admissionVariables(request)
    const isMet = await evaluateWithAuthorizer(authorizer, request, (value) =>
      meetsConditions(webhook.conditions, () => ({ ...variables, authorizer: value })),
    )
    return isMet ? version : null
  } catch (error) {
    if (!webhook.failsOpen) throw admissionFailure(errorMessage(error), error)
    log.warn({ err: error, webhook: webhook.name }, 'skipped a webhook whose conditions failed')
    return null
  }
}

/** The request in another version of its resource. */
export async function requestInVersion(
  request: AdmissionRequest,
  version: string,
  { convert }: WebhookDependencies,
): Promise<AdmissionRequest> {
  if (version === request.version) return request
  const { type, object, oldObject } = request
  const inVersion = (state: ApiObject | null): Promise<ApiObject | null> =>
    state === null ? Promise.resolve(null) : convert(type, state, version)
  const [converted, oldConverted] = await Promise.all([inVersion(object), inVersion(oldObject)])
  return { ...request, object: converted, oldObject: oldConverted }
}

/**
 * Calls a webhook and returns its patch; null without one. `request` is in the version that matched.
 * Throws if the webhook denies the request, or if the call fails and the webhook fails closed.
 */
export async function callWebhook(
  webhook: Webhook,
  call: {
    readonly request: AdmissionRequest
    readonly version: string
    readonly timeoutMs: number
  },
  { client, log }: WebhookDependencies,
): Promise<JsonValue> {
  const { request, version, timeoutMs } = call
  if (request.dryRun && !webhook.allowsDryRun) throw dryRunUnsupported(webhook.name)
  const uid = randomUUID()
  try {
    const body = createReview(uid, request, version)
    const { name, clientConfig } = webhook
    const response = await client.call({ name, clientConfig, timeoutMs, body })
    const verdict = verdictOf(webhook, uid, response)
    for (const warning of verdict.warnings) request.warn(warning)
    if (!verdict.allowed) throw webhookDenial(webhook.name, verdict.status)
    return verdict.patch
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error
    if (!webhook.failsOpen) throw admissionFailure(error.message, error)
    log.warn({ err: error, webhook: webhook.name }, 'admitted a request without its webhook')
    return null
  }
}

function verdictOf({ name }: Webhook, uid: string, response: Parameters<typeof readVerdict>[1]) {
  try {
    return readVerdict(uid, response)
  } catch (cause) {
    const reason = `received invalid webhook response: ${errorMessage(cause)}`
    throw new WebhookCallError(name, reason, { cause })
  }
}
