import type { Database } from './database.ts'
import { isStorableText } from './resource-key.ts'

const FIND_ID_BY_NAME = {
  name: 'find_id_by_name',
  text: `
    select id from resources
    where kind = $1::text and owner_id = $2::text and name = $3::text and deleted_time is null`,
}

/** What names a live resource: `ownerId` is null for a root kind. */
export interface ResourceName {
  readonly kind: string
  readonly ownerId: string | null
  readonly name: string
}

/** The id of the resource with this name that is not being deleted, or null. */
export async function findIdByName(
  database: Database,
  { kind, ownerId, name }: ResourceName,
): Promise<string | null> {
  if (!isStorableText(name) || !isStorableText(ownerId ?? '')) return null
  const rows = await database.execute<{ id: string }>(FIND_ID_BY_NAME, [kind, ownerId ?? '', name])
  return rows[0]?.id ?? null
}
