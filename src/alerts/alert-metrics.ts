import { Counter, type Registry } from 'prom-client'

const RESULTS = ['counted', 'failed', 'postponed'] as const
const STATES = ['firing', 'resolved'] as const

/** The metrics of alerts. */
export type AlertMetrics = ReturnType<typeof createAlertMetrics>

/** Registers the metrics of alerts, which a server with ROLE=api does not evaluate. */
export function createAlertMetrics(registry: Registry) {
  const evaluations = new Counter({
    name: 'flotilla_alert_evaluations_total',
    help: 'Evaluations of views with an alert by result; postponed ones found too many searches.',
    labelNames: ['result'],
    registers: [registry],
  })
  const transitions = new Counter({
    name: 'flotilla_alert_transitions_total',
    help: 'Alerts that began to fire, and alerts that were resolved.',
    labelNames: ['state'],
    registers: [registry],
  })
  // Rates need the series before the first event.
  for (const result of RESULTS) evaluations.inc({ result }, 0)
  for (const state of STATES) transitions.inc({ state }, 0)
  return {
    evaluated: (result: (typeof RESULTS)[number]): void => evaluations.inc({ result }),
    changed: (state: (typeof STATES)[number]): void => transitions.inc({ state }),
  }
}
