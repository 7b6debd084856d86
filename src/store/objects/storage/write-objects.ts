import type { Database } from '../../database/database.ts'
import type { ObjectFence } from '../model/object-fence.ts'
import type { WriteFence } from '../model/write-fence.ts'
import { LEASE } from './lease.ts'

const WRITE_OBJECTS = {
  name: 'write_objects',
  text: `
    select write_position as position, outcome, new_revision as revision
    from write_objects($1::text[], $2::bigint[], $3::json, $4::json)
    order by write_position`,
}

/** The outcome of one record. */
export interface WrittenRow {
  readonly position: number
  readonly outcome:
    | 'written'
    | 'exists'
    | 'conflict'
    | 'namespace-missing'
    | 'namespace-terminating'
    | 'limit-exceeded'
    | 'fenced'
    | 'plane-removed'
    /** Another transaction writes to the plane, and this statement writes to several. */
    | 'locked'
  /** Null unless written. */
  readonly revision: bigint | null
}

/** Writes that share a statement. */
export interface WriteBatch {
  /** The revision at which each plane starts if it has no row. */
  readonly starts: ReadonlyMap<string, bigint>
  /** See `writeRecords`. The keys are different. */
  readonly records: readonly string[]
  /** The fences that records name by position. */
  readonly fences: readonly (WriteFence | ObjectFence)[]
}

/**
 * Applies the writes in one statement, each with its own revision. Waits for other writes of the
 * plane if there is only one plane.
 */
export async function writeObjects(
  database: Database,
  { starts, records, fences }: WriteBatch,
): Promise<readonly WrittenRow[]> {
  return database.execute<WrittenRow>(WRITE_OBJECTS, [
    [...starts.keys()],
    [...starts.values()],
    `[${records.join(',')}]`,
    fences.length === 0 ? null : JSON.stringify(fences.map(fenceRecord)),
  ])
}

function fenceRecord(fence: WriteFence | ObjectFence, position: number): object {
  if ('key' in fence) {
    const { plane, resource, namespace, name } = fence.key
    // Without a path the number is 0.
    const content = { path: null, number: '0' }
    return { plane, resource, namespace, name, uid: fence.uid, ...content, fence: position }
  }
  const { number, ...lease } = fence
  return { ...LEASE, ...lease, fence: position, number: String(number) }
}
