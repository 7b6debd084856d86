import { startDrillPostgres } from '../drill-postgres.ts'

/** Calls `use` with the URL of a new database, and removes the database. */
export async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  await using postgres = await startDrillPostgres()
  await use(postgres.url)
}

/** Settings with which deletions wait for no adapter. */
export const NO_ADAPTERS = {
  HYPERFLEET_CLUSTER_ADAPTERS: '[]',
  HYPERFLEET_NODEPOOL_ADAPTERS: '[]',
}
