import { createResourceCache } from '../store/operations/read/resource-cache.ts'
import { createResourceReader } from '../store/operations/read/resource-reader.ts'
import { createStaleReader } from '../store/operations/read/stale-reader.ts'
import type { Representation } from '../store/operations/read/representation.ts'
import { createInsertBatches } from '../store/operations/write/insert-batches.ts'
import type { Parts } from '../capability/capability.ts'
import { createKeyedQueue } from '../lib/async/keyed-queue.ts'
import { createSemaphore } from '../lib/async/semaphore.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import { createReportBatches } from './statuses/operations/report-batches.ts'
import type { StatusContext } from './statuses/operations/status-context.ts'
import type { HYPERFLEET_SETTINGS } from './hyperfleet-settings.ts'

/** Opens the context of the operations. */
export function openOperations(
  parts: Parts<ValuesOf<typeof HYPERFLEET_SETTINGS>>,
  representation: Representation,
): StatusContext {
  const { config, clock, database, feed, metrics, registry, replicas } = parts
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
    clock,
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
