import { Counter, Gauge, type Registry } from 'prom-client'

interface Collector {
  readonly lag: bigint
  readonly lost: bigint | null
}

/** Exposes how far the history is behind the log. */
export function exposeHistory(registry: Registry, collector: Collector): void {
  const lag: Gauge = new Gauge({
    name: 'flotilla_history_lag_changes',
    help: 'Changes in the log that are not in the history of resources yet.',
    aggregator: 'max',
    registers: [registry],
    collect: () => lag.set(Number(collector.lag)),
  })
  const lost: Counter = new Counter({
    name: 'flotilla_history_lost_changes_total',
    help: 'Changes that the log dropped before they were in the history of resources.',
    registers: [registry],
    collect: () => {
      lost.reset()
      // A server that starts at 0 would seem to have lost the changes of all time.
      if (collector.lost === null) lost.remove()
      else lost.inc(Number(collector.lost))
    },
  })
}
