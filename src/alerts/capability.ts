import { adapterWork } from '../adapter-work/capability.ts'
import { defineCapability } from '../capability/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { view } from '../hyperfleet/kinds/view/kind.ts'
import { startAlertEvaluator } from './alert-evaluator.ts'
import { createAlertMetrics } from './alert-metrics.ts'

/** Beyond the time of a count. */
const LEASE_MARGIN_SECONDS = 60

/** Evaluates the alerts of views, and reports whether they fire. Webhooks send the transitions. */
export const alerts = defineCapability({
  name: 'alerts',
  needs: { hyperfleet, adapterWork },
  settings: {},
  derive: () => ({
    /** Between two evaluations of an alert, in seconds. */
    alertInterval: 60,
    /** A view rests for this many times the duration of its count, so it uses a twentieth of a connection. */
    alertRest: 20,
    /** Between two looks for alerts that are due, in milliseconds. */
    alertPollMs: 5000,
  }),
  open: () => undefined,
  run({ config, lifecycle, log, membership, metrics, needs, registry }) {
    const kind = registry.find(view.kind)
    if (config.role === 'api' || kind === null) return
    const { operations, reportListeners } = needs.hyperfleet
    const evaluator = startAlertEvaluator({
      operations,
      kind,
      work: needs.adapterWork.work,
      metrics: createAlertMetrics(metrics.registry),
      intervalSeconds: config.alertInterval,
      restFactor: config.alertRest,
      pollMs: config.alertPollMs,
      leaseSeconds: Math.ceil(config.statementTimeoutMs / 1000) + LEASE_MARGIN_SECONDS,
      hasOtherConfiguration: () => membership.hasOtherConfiguration(),
      onReport: (report) => {
        for (const listener of reportListeners) listener(report)
      },
      onError: (error) => log.warn({ err: error }, 'the alerts wait'),
    })
    lifecycle.onClose('alerts', () => evaluator[Symbol.asyncDispose]())
  },
})
