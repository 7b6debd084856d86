import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import { isExempt } from '../matching/admission-subject.ts'
import {
  callWebhook,
  matchWebhook,
  requestInVersion,
  type WebhookDependencies,
} from './call-webhook.ts'
import { type Webhook, webhooksOf } from './webhook.ts'

/** Calls the validating webhooks of a plane in parallel. The first one in their order decides. */
export function validatingWebhooks(dependencies: WebhookDependencies): AdmissionPlugin {
  const { configurations, compile } = dependencies

  async function callIfMatching(webhook: Webhook, request: AdmissionRequest): Promise<void> {
    const version = await matchWebhook(webhook, request, dependencies)
    if (version === null) return
    const converted = await requestInVersion(request, version, dependencies)
    const { timeoutMs } = webhook
    await callWebhook(webhook, { request: converted, version, timeoutMs }, dependencies)
  }

  return {
    validate: async (request) => {
      if (isExempt(request)) return
      const configuration = await configurations.of(request.plane)
      const webhooks = webhooksOf(configuration, 'validating', compile)
      if (webhooks.length === 0) return
      const calls = webhooks.map((webhook) => callIfMatching(webhook, request))
      for (const result of await Promise.allSettled(calls)) {
        if (result.status === 'rejected') throw result.reason
      }
    },
  }
}
