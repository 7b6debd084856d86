import { Counter, Gauge, type Registry } from 'prom-client'

const REASONS = ['NewGeneration', 'ReportExpired', 'Deletion', 'Requested']

/** The metrics of adapters' work queues. */
export type WorkMetrics = ReturnType<typeof createWorkMetrics>

/** Registers the metrics of adapters' work queues. */
export function createWorkMetrics(registry: Registry) {
  const leased = new Counter({
    name: 'flotilla_adapter_leases_total',
    help: 'Resources leased to adapters by the reason why they were due.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const repeated = new Counter({
    name: 'flotilla_adapter_repeated_leases_total',
    help: 'Resources leased to adapters again because the lease before had no result.',
    labelNames: ['reason'],
    registers: [registry],
  })
  // Rates need the series before the first lease.
  for (const counter of [leased, repeated]) {
    for (const reason of REASONS) counter.inc({ reason }, 0)
  }
  return {
    /** Counts a lease. `attempt` counts the leases since the last one with a result. */
    leased: (reason: string, attempt: number): void => {
      leased.inc({ reason })
      if (attempt > 1) repeated.inc({ reason })
    },
    /** Exposes the requests that wait for work. */
    expose: (work: { readonly waiting: number }): void => {
      const waiting: Gauge = new Gauge({
        name: 'flotilla_adapter_lease_waiters',
        help: 'Requests of adapters that wait for due work.',
        registers: [registry],
        collect: () => waiting.set(work.waiting),
      })
    },
  }
}
