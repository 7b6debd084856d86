import type { Database } from '../../storage/database/database.ts'
import type { WriteFence } from '../model/write-fence.ts'

const WRITE_OBJECTS = {
  name: 'write_objects',
  text: `
    select write_position as position, outcome, new_revision as revision
    from write_objects($1::text, $2::bigint, $3::text[], $4::json, $5::json)
    order by write_position`,
}

/** The objects of fences, and the number of a term in them. */
const LEASE = {
  plane: 'root',
  resource: 'leases.coordination.k8s.io',
  path: ['spec', 'leaseTransitions'],
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
  /** Null unless written. */
  readonly revision: bigint | null
}

/** Writes to one plane that share a statement. */
export interface WriteBatch {
  readonly plane: string
  /** The revision at which the plane starts if it has no row. */
  readonly start: bigint
  /** Namespaces that exist unless a row or a tombstone replaces them. */
  readonly computedNamespaces: readonly string[]
  /** See `writeRecords`. The keys are different. */
  readonly records: readonly string[]
  /** The fences that records name by position. */
  readonly fences: readonly WriteFence[]
}

/** Applies the writes in one statement, each with its own revision. */
export async function writeObjects(
  database: Database,
  { plane, start, computedNamespaces, records, fences }: WriteBatch,
): Promise<readonly WrittenRow[]> {
  return database.execute<WrittenRow>(WRITE_OBJECTS, [
    plane,
    start,
    computedNamespaces,
    `[${records.join(',')}]`,
    fences.length === 0 ? null : JSON.stringify(fences.map(fenceRecord)),
  ])
}

function fenceRecord({ number, ...fence }: WriteFence, position: number): object {
  return { ...LEASE, ...fence, fence: position, number: String(number) }
}
