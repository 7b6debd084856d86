import type { Clock } from '../../lib/clock.ts'
import type { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import type { Semaphore } from '../../lib/async/semaphore.ts'
import type { Feed } from '../feed/feed.ts'
import type { Registry } from '../registry/registry.ts'
import type { Database } from '../database/database.ts'
import type { Replicas } from '../replicas/replicas.ts'
import type { InsertBatches } from './write/insert-batches.ts'
import type { ResourceReader } from './read/resource-reader.ts'

/** The dependencies of all operations. The composition root creates it. */
export interface Context {
  readonly database: Database
  /** Serve lists that need not be current; null without replicas. */
  readonly replicas: Replicas | null
  readonly registry: Registry
  readonly clock: Clock
  /**
   * Runs this process's writes to one resource one after the other, so that only other processes
   * collide.
   */
  readonly writes: KeyedQueue
  readonly reader: ResourceReader
  /** Reads single resources from the primary, even if `reader` uses replicas that may be behind. */
  readonly primaryReader: ResourceReader
  /** Batches creates; null if each create runs its own statement. */
  readonly insertBatches: InsertBatches | null
  /** Notified of every write, so that watches receive it immediately. */
  readonly feed: Feed
  /** Limits concurrent searches. */
  readonly searches: Semaphore
  /** Called for each search that exceeded its time or got no place in the semaphore. */
  readonly onSearchRejected: () => void
  /** Whether a change of labels alone raises the generation. */
  readonly labelsBumpGeneration: boolean
}

/** Attempts of a write that collides with other processes. */
export const WRITE_ATTEMPTS = 100
