import type { Feed } from '../store/feed/feed.ts'
import { repeat } from '../store/feed/repeat.ts'
import { startHistoryCollector } from '../history/history-collector.ts'
import type { Database } from '../store/database/database.ts'
import { pauseHistory } from '../history/storage/pause-history.ts'
import type { Foundation } from './foundation.ts'
import { startPartitions } from './start-partitions.ts'

/** A server with another setting may have collected since. */
const PAUSE_INTERVAL_MS = 600_000

/** Starts the history of resources, unless it is off, and the maintenance of its partitions. */
export function startHistory(foundation: Foundation, database: Database, feed: Feed): void {
  const { config, overrides, lifecycle, metrics } = foundation
  const onError = (err: unknown): void => overrides.log.warn({ err }, 'the history waits')
  startPartitions(foundation, database, {
    table: 'resource_history',
    retentionSeconds: config.historyRetention,
    onError,
  })
  if (config.historyRetention === 0) {
    const pauses = repeat(PAUSE_INTERVAL_MS, onError, () => pauseHistory(database))
    lifecycle.onClose('history', () => pauses[Symbol.asyncDispose]())
    return
  }
  const collector = startHistoryCollector({ database, feed, onError })
  metrics.exposeHistory(collector)
  lifecycle.onClose('history', () => collector[Symbol.asyncDispose]())
}
