import type { Database } from '../../database/database.ts'
import type { WriteGuard } from '../model/write-guard.ts'
import { LEASE } from './lease.ts'

/**
 * Locks the objects of guards `for share`, in the order of their keys, so that they cannot change
 * before the transaction ends. Waits for a concurrent write of an object, and checks its result.
 */
const LOCK_GUARDS = {
  name: 'lock_guards',
  text: `
    select objects.uid
    from json_to_recordset($1::json) as wanted (
      plane text, resource text, namespace text, name text, uid text, path text[], number text)
    join objects on objects.plane = wanted.plane and objects.resource = wanted.resource
      and objects.namespace = wanted.namespace and objects.name = wanted.name
    where objects.uid = wanted.uid and not objects.is_tombstone
      and coalesce(objects.body #>> wanted.path, '0') = wanted.number
    order by objects.plane, objects.resource, objects.namespace, objects.name
    for share of objects`,
}

/**
 * Whether all guards hold. They then hold until the end of the transaction, so call this function
 * first in the transaction of the write.
 */
export async function lockGuards(
  database: Database,
  guards: readonly WriteGuard[],
): Promise<boolean> {
  if (guards.length === 0) return true
  const records = JSON.stringify(guards.map(guardRecord))
  const held = await database.execute(LOCK_GUARDS, [records])
  return held.length === guards.length
}

function guardRecord(guard: WriteGuard): object {
  if (guard.type === 'lease') {
    const { namespace, name, uid, number } = guard
    return { ...LEASE, namespace, name, uid, number: String(number) }
  }
  const { key, uid, generation } = guard
  return { ...key, uid, path: ['metadata', 'generation'], number: String(generation) }
}
