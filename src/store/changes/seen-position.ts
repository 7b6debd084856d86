import type { Database } from '../database/database.ts'

/** The end of a log that a server has read. */
export interface SeenPosition {
  readonly epoch: string
  readonly revision: bigint
}

/** The parameters of statements that renew an epoch; nulls make every timeline begin a new one. */
export function seenValues(database: Database, seen: SeenPosition | null): readonly unknown[] {
  return database.isSynchronous && seen !== null ? [seen.epoch, seen.revision] : [null, null]
}
