import type { Database } from '../../database/database.ts'

/** Removes the rows of other capabilities with planes that are removed or emptied. */
export type RemoveRecords = (database: Database, planes: readonly string[]) => Promise<void>
