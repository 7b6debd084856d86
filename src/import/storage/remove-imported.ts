import type { Database } from '../../store/database/database.ts'

const IMPORTED_IDS = {
  name: 'imported_ids',
  text: 'select id from resources where kind = any($1::text[])',
}

const REMOVE_IMPORTED = {
  name: 'remove_imported',
  text: 'delete from resources where id = any($1::text[])',
}

/** The ids of all resources of these kinds. */
export async function importedIds(
  database: Database,
  kinds: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.execute<{ id: string }>(IMPORTED_IDS, [kinds])
  return rows.map(({ id }) => id)
}

/** Removes resources with their reports, as the source has done. */
export async function removeImported(database: Database, ids: readonly string[]): Promise<void> {
  await database.execute(REMOVE_IMPORTED, [ids])
}
