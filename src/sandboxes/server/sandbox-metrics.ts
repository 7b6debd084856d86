import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

interface Operations {
  readonly running: number
  readonly waiting: number
}

const KINDS = ['Start', 'Suspend', 'Resume', 'Snapshot', 'Delete']
const RESULTS = ['Succeeded', 'Failed', 'Cancelled']
const DURATIONS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

/** Registers the metrics of sandboxes that the controllers of this process may run. */
export function createSandboxMetrics(registry: Registry) {
  const operations = new Counter({
    name: 'flotilla_sandbox_operations_total',
    help: 'Finished operations on sandboxes by kind and result.',
    labelNames: ['kind', 'result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'flotilla_sandbox_operation_duration_seconds',
    help: 'Time from the start of an operation on a sandbox to its end, with all attempts.',
    labelNames: ['kind'],
    buckets: DURATIONS,
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'flotilla_sandbox_snapshot_bytes_total',
    help: 'Bytes of the snapshots that were taken.',
    registers: [registry],
  })
  // Rates and sums need the series before the first operation.
  for (const kind of KINDS) {
    for (const result of RESULTS) operations.inc({ kind, result }, 0)
    durations.zero({ kind })
  }
  return {
    operationFinished: (kind: string, result: string, seconds: number): void => {
      operations.inc({ kind, result })
      durations.observe({ kind }, seconds)
    },
    snapshotTaken: (size: number): void => bytes.inc(size),
    exposeOperations: unfinishedGauge(registry),
  }
}

function unfinishedGauge(registry: Registry) {
  let exposed: Operations | null = null
  const gauge: Gauge<'state'> = new Gauge({
    name: 'flotilla_sandbox_unfinished_operations',
    help: 'Operations on sandboxes that run, and those that wait for another attempt.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'running' }, exposed?.running ?? 0)
      gauge.set({ state: 'waiting' }, exposed?.waiting ?? 0)
    },
  })
  return (operations: Operations): Disposable => {
    exposed = operations
    return {
      [Symbol.dispose]: () => {
        // Another term of leadership may have replaced them.
        if (exposed === operations) exposed = null
      },
    }
  }
}
