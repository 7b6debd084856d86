import type { Database } from '../../database/database.ts'
import { isStorableText } from '../../database/storable-text.ts'
import type { ObjectKey, StoredObject } from '../model/stored-object.ts'
import { OBJECT_COLUMNS, objectOf, type ObjectRow } from './object-row.ts'

/** A statement for one key is cheaper than the statement for a list. */
const READ_OBJECT = {
  name: 'read_object',
  text: `
    select 0 as position, is_tombstone, ${OBJECT_COLUMNS}
    from objects
    where plane = $1::text and resource = $2::text and namespace = $3::text and name = $4::text`,
}

/**
 * Subqueries hide the lengths of the arrays: PostgreSQL would plan each statement for its own. The
 * lateral join keeps a plan from a time with few objects from a scan of all of them.
 */
const READ_OBJECTS = {
  name: 'read_objects',
  text: `
    select wanted.position::integer - 1 as position, is_tombstone, ${OBJECT_COLUMNS}
    from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]))
      with ordinality as wanted (plane, resource, namespace, name, position)
    cross join lateral (
      select * from objects
      where objects.plane = wanted.plane and objects.resource = wanted.resource
        and objects.namespace = wanted.namespace and objects.name = wanted.name
      limit 1
    ) as objects`,
}

type Row = ObjectRow & { readonly position: number; readonly is_tombstone: boolean }

/** The row of a key: an object, a tombstone that hides the computed object, or no row. */
export type FoundObject = StoredObject | 'tombstone' | null

/** Reads objects by key, in the order of the keys. */
export async function readObjects(
  database: Database,
  keys: readonly ObjectKey[],
): Promise<readonly FoundObject[]> {
  const found: FoundObject[] = keys.map(() => null)
  for (const row of await readRows(database, keys)) {
    found[row.position] = row.is_tombstone ? 'tombstone' : objectOf(row)
  }
  return found
}

async function readRows(database: Database, keys: readonly ObjectKey[]): Promise<readonly Row[]> {
  const [only, second] = keys
  if (!only) return []
  if (!second) {
    const { plane, resource, namespace, name } = only
    const values = [plane, resource, namespace, name]
    return values.every(isStorableText) ? database.execute<Row>(READ_OBJECT, values) : []
  }
  const column = (part: keyof ObjectKey): readonly (string | null)[] =>
    keys.map((key) => (isStorableText(key[part]) ? key[part] : null))
  return database.execute<Row>(READ_OBJECTS, [
    column('plane'),
    column('resource'),
    column('namespace'),
    column('name'),
  ])
}
