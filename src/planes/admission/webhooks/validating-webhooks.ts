import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import { readNamespaceOnce } from '../matching/read-namespace-once.ts'
import { isExempt } from '../matching/admission-subject.ts'
import {
  callWebhook,
  matchWebhook,
  requestInVersion,
  type WebhookDependencies,
} from './call-webhook.ts'
import { admissionTimeout, MAX_ADMISSION_MS } from './denial.ts'
import { type Webhook, webhooksOf } from './webhook.ts'

/** Calls the validating webhooks of a plane in parallel. The first one in their order decides. */
export function validatingWebhooks(dependencies: WebhookDependencies): AdmissionPlugin {
  const { configurations, compile } = dependencies

  return {
    validate: async (request) => {
      if (isExempt(request)) return
      const configuration = await configurations.of(request.plane)
      const webhooks = webhooksOf(configuration, 'validating', compile)
      if (webhooks.length === 0) return
      const readNamespace = readNamespaceOnce(dependencies.readNamespace)
      const results = await callAll(webhooks, request, { ...dependencies, readNamespace })
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason
      }
    },
  }
}

/** The most concurrent calls of a request. Each holds a copy of the object as text. */
const MAX_CONCURRENT = 16

/** Calls the webhooks in groups. A group with a rejection is the last one. */
async function callAll(
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
  dependencies: WebhookDependencies,
): Promise<readonly PromiseSettledResult<void>[]> {
  const deadline = performance.now() + MAX_ADMISSION_MS
  let results: readonly PromiseSettledResult<void>[] = []
  for (let at = 0; at < webhooks.length; at += MAX_CONCURRENT) {
    if (performance.now() > deadline) throw admissionTimeout()
    const group = webhooks.slice(at, at + MAX_CONCURRENT)
    const calls = group.map((webhook) => callIfMatching(webhook, request, dependencies))
    results = await Promise.allSettled(calls)
    if (results.some(({ status }) => status === 'rejected')) return results
  }
  return results
}

async function callIfMatching(
  webhook: Webhook,
  request: AdmissionRequest,
  dependencies: WebhookDependencies,
): Promise<void> {
  const version = await matchWebhook(webhook, request, dependencies)
  if (version === null) return
  const converted = await requestInVersion(request, version, dependencies)
  const { timeoutMs } = webhook
  await callWebhook(webhook, { request: converted, version, timeoutMs }, dependencies)
}
