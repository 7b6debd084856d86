import { createResourceCache } from '../store/operations/read/resource-cache.ts'
import { createResourceReader } from '../store/operations/read/resource-reader.ts'
import { createStaleReader } from '../store/operations/read/stale-reader.ts'
import type { Representation } from '../store/operations/read/representation.ts'
import { createInsertBatches } from '../store/operations/write/insert-batches.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { Database } from '../store/database/database.ts'
import type { Replicas } from '../store/replicas/replicas.ts'
import { createKeyedQueue } from '../lib/async/keyed-queue.ts'
import { createSemaphore } from '../lib/async/semaphore.ts'
import { systemClock } from '../lib/clock.ts'
import { createReportBatches } from '../hyperfleet/statuses/operations/report-batches.ts'
import type { StatusContext } from '../hyperfleet/statuses/operations/status-context.ts'
import type { Foundation } from './foundation.ts'

interface Parts {
  readonly database: Database
  readonly replicas: Replicas | null
  readonly feed: Feed
  readonly representation: Representation
}

/** The context of the operations. */
export function createOperations(
  foundation: Foundation,
  { database, replicas, feed, representation }: Parts,
): StatusContext {
  const { config, overrides, metrics, registry } = foundation
  const cache = createResourceCache(config.readCacheBytes)
  const reportBatches = createReportBatches(config.statementTimeoutMs)
  feed.broadcaster.onNewEpoch(() => {
    cache.clear()
    reportBatches.forget()
  })
  const current = createResourceReader({
    database,
    registry,
    cache,
    representations: [representation],
    timeoutMs: config.statementTimeoutMs,
  })
  const reader =
    replicas?.servesStale === true
      ? createStaleReader({
          primary: current,
          database,
          replicas,
          required: () => ({ epoch: feed.broadcaster.resourceVersion.epoch, revision: 0n }),
        })
      : current
  return {
    database,
    replicas,
    registry,
    clock: overrides.clock ?? systemClock,
    writes: createKeyedQueue(config.statementTimeoutMs),
    reader,
    primaryReader: current,
    reportBatches,
    insertBatches: createInsertBatches(database, config.statementTimeoutMs),
    feed,
    searches: createSemaphore(config.searchSlots, config.searchWaitMs),
    onSearchRejected: metrics.searchRejected,
    labelsBumpGeneration: config.labelsBumpGeneration,
  }
}
