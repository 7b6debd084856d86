import type { Clock } from '../../lib/clock.ts'
import type { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import type { Semaphore } from '../../lib/async/semaphore.ts'
import type { Feed } from '../feed/feed.ts'
import type { SnapshotCache } from '../snapshots/snapshot-cache.ts'
import type { Registry } from '../registry/registry.ts'
import type { Database } from '../storage/database/database.ts'
import type { InsertBatches } from './write/insert-batches.ts'
import type { ResourceReader } from './read/resource-reader.ts'

/** What every operation works with; made once, by the composition root. */
export interface Context {
  readonly database: Database
  readonly registry: Registry
  readonly clock: Clock
  /** Writes of one resource by this process, in line: only other processes can collide with them. */
  readonly writes: KeyedQueue
  readonly reader: ResourceReader
  /** Creates that are written together; null if each is written by itself. */
  readonly insertBatches: InsertBatches | null
  /** Told of every write, so that it reaches those who watch at once. */
  readonly feed: Feed
  /** What snapshots are served from. */
  readonly snapshots: SnapshotCache
  /** How many searches may run at once. */
  readonly searches: Semaphore
  /** Called for every search that ran too long or found no slot. */
  readonly onSearchRejected: () => void
  /** Whether a change of labels alone raises the generation, as newer HyperFleet has it. */
  readonly labelsBumpGeneration: boolean
}

/** How often a write that collided with another process is tried before it is given up. */
export const WRITE_ATTEMPTS = 100
