import { createSnapshotCache, type SnapshotCache } from '../snapshots/cache/snapshot-cache.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { Database } from '../store/database/database.ts'
import type { Foundation } from './foundation.ts'

/** The cache of snapshots, which is closed with the server. */
export function openSnapshots(
  { config, lifecycle, metrics }: Foundation,
  { database, feed }: { readonly database: Database; readonly feed: Feed },
): SnapshotCache {
  const snapshots = createSnapshotCache({ database, feed, maxBytes: config.snapshotCacheBytes })
  lifecycle.onClose('snapshots', () => snapshots[Symbol.dispose]())
  metrics.exposeSnapshotCache(snapshots)
  return snapshots
}
