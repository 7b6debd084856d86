import { runLeases } from './run-leases.ts'
import type { WorkerOptions } from './worker-options.ts'

const MAX_DELAY_SECONDS = 300

/**
 * Runs a worker of an adapter until its signal aborts. It leases due resources, reconciles them and
 * reports the results. Leases are renewed during long work and given back when the worker stops or
 * the work fails. Any number of workers can run: no two of them reconcile one resource.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  await runLeases(options, delayAfter)
}

/** Seconds until work without a result is repeated: 2, 4, 8 ... 300. */
function delayAfter(attempt: number): number {
  return Math.min(MAX_DELAY_SECONDS, 2 ** Math.min(attempt, 10))
}
