import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const RESULTS = ['delivered', 'failed', 'dead'] as const
const RESYNC_REASONS = ['compacted', 'new-epoch', 'overflow', 'configuration'] as const
const DURATIONS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]

/** The events that have not been sent. */
interface Backlog {
  /** Changes in the log whose events are not queued yet. */
  readonly lag: number
  pending(): number
  openCircuits(): number
}

/** Registers the metrics of webhooks, which a server with ROLE=api does not send. */
export function createWebhookMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'flotilla_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook by result; dead is the last failed attempt.',
    labelNames: ['result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'flotilla_webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to the response of the receiver or its failure.',
    buckets: DURATIONS,
    registers: [registry],
  })
  const resyncs = new Counter({
    name: 'flotilla_webhook_resyncs_total',
    help: 'Webhooks that missed changes and received a resync event, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const unreadable = new Counter({
    name: 'flotilla_webhook_unreadable_total',
    help: 'Deliveries that were not attempted because a key of their webhook is missing.',
    registers: [registry],
  })
  // Rates need the series before the first event.
  for (const result of RESULTS) attempts.inc({ result }, 0)
  for (const reason of RESYNC_REASONS) resyncs.inc({ reason }, 0)
  return {
    attempted: (result: (typeof RESULTS)[number], seconds: number): void => {
      attempts.inc({ result })
      durations.observe(seconds)
    },
    unreadable: (): void => unreadable.inc(),
    resynced: (reason: string, webhooks: number): void => resyncs.inc({ reason }, webhooks),
    exposeBacklog: (backlog: Backlog): void => exposeBacklog(registry, backlog),
  }
}

function exposeBacklog(registry: Registry, backlog: Backlog): void {
  const pending: Gauge = new Gauge({
    name: 'flotilla_webhook_pending_deliveries',
    help: 'Events of all webhooks that have not been delivered.',
    registers: [registry],
    collect: () => pending.set(backlog.pending()),
  })
  const circuits: Gauge = new Gauge({
    name: 'flotilla_webhook_open_circuits',
    help: 'Webhooks whose receiver fails, so that only probes are sent.',
    registers: [registry],
    collect: () => circuits.set(backlog.openCircuits()),
  })
  const lag: Gauge = new Gauge({
    name: 'flotilla_webhook_lag_changes',
    help: 'Changes in the log whose events are not queued yet.',
    registers: [registry],
    collect: () => lag.set(backlog.lag),
  })
}
