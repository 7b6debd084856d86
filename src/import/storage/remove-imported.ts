import type { Database } from '../../store/database/database.ts'

const LIST_IMPORTED = {
  name: 'list_imported',
  text: 'select id, kind, tenant from resources where kind = any($1::text[])',
}

const REMOVE_IMPORTED = {
  name: 'remove_imported',
  text: 'delete from resources where id = any($1::text[])',
}

/** A resource of the target. */
export interface ImportedKey {
  readonly id: string
  readonly kind: string
  readonly tenant: string
}

/** All resources of these kinds. */
export async function listImported(
  database: Database,
  kinds: readonly string[],
): Promise<readonly ImportedKey[]> {
  return await database.execute<ImportedKey>(LIST_IMPORTED, [kinds])
}

/** Removes resources with their reports, as the source has done. */
export async function removeImported(database: Database, ids: readonly string[]): Promise<void> {
  await database.execute(REMOVE_IMPORTED, [ids])
}
