import type { Config } from './settings.ts'
import type { Context } from '../store/operations/context.ts'
import type { Metrics } from '../http/observability/metrics.ts'
import type { Log } from '../lib/log/log.ts'
import { AdapterWork } from '../adapter-work/adapter-work.ts'

const MAX_WAITERS = 1000

interface Parts {
  readonly operations: Context
  readonly metrics: Metrics
  readonly log: Log
}

/** The work queues of adapters. Dispose them before the server is drained. */
export function openAdapterWork(
  { statementTimeoutMs: timeoutMs }: Pick<Config, 'statementTimeoutMs'>,
  { operations, metrics, log }: Parts,
): AdapterWork {
  const work = new AdapterWork({
    ...operations,
    timeoutMs,
    maxWaiters: MAX_WAITERS,
    onError: (error) => log.warn({ err: error }, 'the queue of an adapter waits'),
  })
  metrics.work.expose(work)
  return work
}
