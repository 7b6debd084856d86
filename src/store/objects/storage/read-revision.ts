import type { Database } from '../../database/database.ts'
import type { ObjectKey } from '../model/stored-object.ts'

const READ_REVISION = {
  name: 'read_object_revision',
  text: `
    select revision from objects
    where plane = $1::text and resource = $2::text and namespace = $3::text and name = $4::text
      and not is_tombstone`,
}

/** The revision of a stored object, without its body; null if no object is stored. */
export async function readRevision(
  database: Database,
  { plane, resource, namespace, name }: ObjectKey,
): Promise<bigint | null> {
  const values = [plane, resource, namespace, name]
  const [row] = await database.execute<{ revision: bigint }>(READ_REVISION, values)
  return row?.revision ?? null
}
