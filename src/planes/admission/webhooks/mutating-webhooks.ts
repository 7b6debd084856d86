import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { applyJsonPatchBody } from '../../patches/json-patch-body.ts'
import { readNamespaceOnce } from '../matching/read-namespace-once.ts'
import { withIdentity } from '../matching/identity.ts'
import { isExempt } from '../matching/admission-subject.ts'
import {
  callWebhook,
  matchWebhook,
  requestInVersion,
  type WebhookDependencies,
} from './call-webhook.ts'
import { admissionFailure, admissionTimeout, MAX_ADMISSION_MS } from './denial.ts'
import { type Webhook, webhooksOf } from './webhook.ts'

/**
 * Calls the mutating webhooks of a plane one after another. If a webhook changes the object, earlier
 * ones with `reinvocationPolicy: IfNeeded` are called once more. Deletions have no object to change,
 * so their webhooks can only deny them.
 */
export function mutatingWebhooks(dependencies: WebhookDependencies): AdmissionPlugin {
  const { configurations, compile } = dependencies

  async function run(request: AdmissionRequest): Promise<AdmissionRequest> {
    if (isExempt(request)) return request
    const configuration = await configurations.of(request.plane)
    const webhooks = webhooksOf(configuration, 'mutating', compile)
    if (webhooks.length === 0) return request
    const readNamespace = readNamespaceOnce(dependencies.readNamespace)
    return runAll(webhooks, request, { ...dependencies, readNamespace })
  }

  return {
    mutate: async (request) => {
      const { object } = await run(request)
      return object ?? request.object
    },
    validate: async (request) => {
      if (request.operation === 'DELETE') await run(request)
    },
  }
}

async function runAll(
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
  dependencies: WebhookDependencies,
): Promise<AdmissionRequest> {
  const deadline = performance.now() + MAX_ADMISSION_MS
  /** Webhooks that are called again, because the object has changed since their call. */
  let stale = new Set<Webhook>()
  const repeatable = new Set<Webhook>()
  let current = request
  for (const webhook of webhooks) {
    const step = await callOne(webhook, current, { deadline, dependencies })
    if (step === null) continue
    // Only earlier webhooks have not seen the change.
    if (!isSameJson(step.object, current.object)) stale = new Set(repeatable)
    if (webhook.isReinvoked) repeatable.add(webhook)
    current = step
  }
  for (const webhook of webhooks) {
    if (!stale.has(webhook)) continue
    current = (await callOne(webhook, current, { deadline, dependencies })) ?? current
  }
  return current
}

interface Circumstances {
  readonly deadline: number
  readonly dependencies: WebhookDependencies
}

/** The request after one webhook; null if the webhook does not match it. */
async function callOne(
  webhook: Webhook,
  request: AdmissionRequest,
  { deadline, dependencies }: Circumstances,
): Promise<AdmissionRequest | null> {
  const version = await matchWebhook(webhook, request, dependencies)
  if (version === null) return null
  const remaining = Math.ceil(deadline - performance.now())
  if (remaining <= 0) throw admissionTimeout()
  const converted = await requestInVersion(request, version, dependencies)
  const timeoutMs = Math.min(webhook.timeoutMs, remaining)
  const patch = await callWebhook(webhook, { request: converted, version, timeoutMs }, dependencies)
  if (patch === null || (Array.isArray(patch) && patch.length === 0)) return request
  const { object } = converted
  if (object === null) {
    const problem = 'attempted to modify the object, which is not supported for this operation'
    throw admissionFailure(`admission webhook "${webhook.name}" ${problem}`)
  }
  const patched = patchedObject(webhook, object, patch)
  if (version === request.version) return { ...request, object: patched }
  return {
    ...request,
    object: await dependencies.convert(request.type, patched, request.version),
  }
}

function patchedObject({ name }: Webhook, object: ApiObject, patch: JsonValue): ApiObject {
  try {
    const patched = applyJsonPatchBody(object, patch)
    return withIdentity(object, patched)
  } catch (cause) {
    throw admissionFailure(`admission webhook "${name}": ${errorMessage(cause)}`, cause)
  }
}
