import type { Database } from '../../src/store/database/database.ts'

/** Work of one round on one side. Only `run` is measured. */
export interface Load {
  readonly prepare: (database: Database) => Promise<void>
  readonly run: (database: Database) => Promise<void>
  readonly operations: number
}

/** The same work with a queue of today, and with the generic one. */
export interface Pair {
  readonly old: Load
  readonly new: Load
}

/** A prepared statement. */
export function named(name: string, text: string): { name: string; text: string } {
  return { name, text }
}
