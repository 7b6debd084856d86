import type { Database } from '../../database/database.ts'
import { isStorableText } from '../../database/storable-text.ts'
import type { ObjectKey } from '../model/stored-object.ts'

/** Subqueries hide the lengths of the arrays: PostgreSQL would plan each statement for its own. */
const READ_REVISIONS = {
  name: 'read_object_revisions',
  text: `
    select found.revision
    from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]))
      with ordinality as wanted (plane, resource, namespace, name, position)
    left join lateral (
      select revision from objects
      where plane = wanted.plane and resource = wanted.resource
        and namespace = wanted.namespace and objects.name = wanted.name and not is_tombstone
      limit 1
    ) as found on true
    order by wanted.position`,
}

/**
 * The revisions of stored objects, without their bodies, in the order of the keys; null for a key
 * without a stored object. Reads a key that occurs several times once.
 */
export async function readRevisions(
  database: Database,
  keys: readonly ObjectKey[],
): Promise<readonly (bigint | null)[]> {
  const distinct = new Map(keys.map((key) => [keyText(key), key]))
  const column = (part: keyof ObjectKey): readonly (string | null)[] =>
    Array.from(distinct.values(), (key) => (isStorableText(key[part]) ? key[part] : null))
  const rows = await database.execute<{ revision: bigint | null }>(READ_REVISIONS, [
    column('plane'),
    column('resource'),
    column('namespace'),
    column('name'),
  ])
  const texts = [...distinct.keys()]
  const found = new Map(rows.map(({ revision }, index) => [texts[index], revision]))
  return keys.map((key) => found.get(keyText(key)) ?? null)
}

function keyText({ plane, resource, namespace, name }: ObjectKey): string {
  return JSON.stringify([plane, resource, namespace, name])
}
