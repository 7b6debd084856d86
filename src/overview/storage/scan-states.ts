import { must } from '../../lib/assert.ts'
import type { ResourceCondition } from '../../store/model/condition.ts'
import type { ChangeType } from '../../store/model/change.ts'
import type { Database } from '../../store/database/database.ts'

/** The fields of a resource that counts depend on. */
export interface CountedFields {
  readonly kind: string
  readonly tenant: string
  readonly generation: number
  readonly conditions: readonly ResourceCondition[]
  readonly requiredAdapters: readonly string[] | null
  readonly isDeleting: boolean
}

/** Resources that count as one, with the fields of one of them. */
export interface StateGroup extends CountedFields {
  readonly count: number
}

/** A change of a resource. */
export interface CountedChange {
  readonly type: ChangeType
  readonly after: CountedFields
  /** Null unless the resource was modified. */
  readonly before: CountedFields | null
}

/**
 * All resources at one moment: the log at `revision`, plus the pending changes, which it does not
 * contain yet.
 */
export interface StateScan {
  readonly epoch: string
  readonly revision: bigint
  readonly groups: readonly StateGroup[]
  readonly pending: readonly CountedChange[]
}

/** Blocks of a statement, so that each one ends long before the statement timeout. */
const BLOCKS = 4096

/** The first statement of a transaction that reads one moment. */
export const SNAPSHOT = {
  name: 'scan_snapshot',
  text: 'set transaction isolation level repeatable read, read only',
}

/** The select list of a CountedChangeRow, from the outbox or the log. */
export const COUNTED_COLUMNS = `type, kind, tenant, generation, conditions, required_adapters,
  deleted_time is not null as is_deleting, old_generation, old_conditions,
  old_required_adapters, old_deleted_time is not null as was_deleting`

const SCAN_PENDING = {
  name: 'scan_pending',
  text: `
    select head.epoch, head.revision, pg_relation_size('resources') / 8192 as blocks, pending.*
    from head left join (
      select ${COUNTED_COLUMNS} from outbox where adapter = ''
    ) as pending on true`,
}

/**
 * Groups by what the counts distinguish. Most resources need only their indexed statuses. The
 * conditions are parsed only for those that wait for an adapter that has reported.
 */
const SCAN_GROUPS = {
  name: 'scan_groups',
  text: `
    with grouped as (
      select min(id) as id, count(*)::integer as count
      from resources
      where ctid >= $1::tid and ctid < $2::tid
      group by kind, tenant, required_adapters, deleted_time is null,
        cond ->> 'Ready', cond ->> 'Reconciled', cond ->> 'Available',
        case when cond ->> 'Ready' = 'False'
          and (cond ?| $3::text[] or required_adapters <> '[]') then (
          select string_agg(concat_ws(' ',
            value ->> 'type', value ->> 'status',
            case when value ->> 'type' = 'Ready' then value ->> 'reason'
              else sign((value ->> 'observed_generation')::integer - generation)::text end), ',')
          from json_array_elements(conditions) as value
          where value ->> 'type' = 'Ready' or value ->> 'type' = any($3::text[])
            or required_adapters <> '[]'
        ) end
    )
    select kind, tenant, generation, conditions, required_adapters,
      deleted_time is not null as is_deleting, count
    from grouped join resources using (id)`,
}

interface CountedRow extends Omit<CountedFields, 'isDeleting' | 'requiredAdapters'> {
  readonly required_adapters: readonly string[] | null
  readonly is_deleting: boolean
}

/** Without a change, `type` is null. */
export interface CountedChangeRow extends CountedRow {
  readonly type: ChangeType | null
  readonly old_generation: number | null
  readonly old_conditions: readonly ResourceCondition[] | null
  readonly old_required_adapters: readonly string[] | null
  readonly was_deleting: boolean
}

interface PendingRow extends CountedChangeRow {
  readonly epoch: string
  readonly revision: bigint
  readonly blocks: bigint
}

interface GroupRow extends CountedRow {
  readonly count: number
}

/**
 * Reads all resources once, grouped, in one snapshot. `adapterTypes` are the conditions of required
 * adapters.
 */
export function scanStates(
  database: Database,
  adapterTypes: readonly string[],
): Promise<StateScan> {
  return database.transaction(async (snapshot) => {
    await snapshot.execute(SNAPSHOT, [])
    const rows = await snapshot.execute<PendingRow>(SCAN_PENDING, [])
    const { epoch, revision, blocks } = must(rows[0], 'the head of the log')
    const groups: StateGroup[] = []
    for (let block = 0; block < Number(blocks); block += BLOCKS) {
      const range = [`(${block},0)`, `(${block + BLOCKS},0)`, [...adapterTypes]]
      for (const row of await snapshot.execute<GroupRow>(SCAN_GROUPS, range)) {
        groups.push({ ...countedOf(row), count: row.count })
      }
    }
    return { epoch, revision, groups, pending: rows.flatMap(countedChangeOf) }
  })
}

/** None for a row without a change. */
export function countedChangeOf(row: CountedChangeRow): readonly CountedChange[] {
  const { type, kind, tenant, old_generation: generation, old_conditions: conditions } = row
  if (type === null) return []
  const after = countedOf(row)
  if (generation === null || conditions === null) return [{ type, after, before: null }]
  const before = {
    kind,
    tenant,
    generation,
    conditions,
    requiredAdapters: row.old_required_adapters,
    isDeleting: row.was_deleting,
  }
  return [{ type, after, before }]
}

function countedOf(row: CountedRow): CountedFields {
  const { kind, tenant, generation, conditions } = row
  const { required_adapters: requiredAdapters, is_deleting: isDeleting } = row
  return { kind, tenant, generation, conditions, requiredAdapters, isDeleting }
}
