import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'

const FIND_NAME = {
  name: 'find_name',
  text: 'select kind, name from resources where id = $1::text',
}

/** Finds the kind and name of a resource by its ID; null if it does not exist. */
export async function findName(
  database: Database,
  id: string,
): Promise<{ readonly kind: string; readonly name: string } | null> {
  if (!isStorableText(id)) return null
  const rows = await database.execute<{ kind: string; name: string }>(FIND_NAME, [id])
  return rows[0] ?? null
}
