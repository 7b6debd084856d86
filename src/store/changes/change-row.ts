import type { ResourceCondition } from '../model/condition.ts'
import type { StatusRecord, StoredAvailable, StoredCondition } from '../model/status-record.ts'
import type { Change, ChangeType, SearchedState } from '../model/change.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { FIELD_LIST } from '../model/resource-fields.ts'
import { type ReadRow, resourceOf } from '../resources/resource-row.ts'

interface EveryChange {
  readonly revision: bigint
  readonly type: ChangeType
  readonly resource_id: string
  readonly version: bigint
  readonly generation: number
  readonly created_time: Date
  /** Null unless a move of a tenant between shards wrote the change. */
  readonly moved: boolean | null
}

interface ResourceChangeRow extends EveryChange, Omit<ReadRow, 'id' | keyof EveryChange> {
  readonly adapter: ''
  /** Null unless the change is a modification. */
  readonly old_generation: number | null
  /** Null if unchanged, as is `old_labels`. */
  readonly old_spec: string | null
  readonly old_labels: string | null
  readonly old_conditions: readonly ResourceCondition[]
  readonly old_required_adapters: readonly string[] | null
  readonly old_updated_time: Date
  readonly old_updated_by: string
  readonly old_deleted_time: Date | null
}

interface StatusChangeRow extends EveryChange {
  readonly adapter: string
  /** Distinguishes the two kinds of rows. */
  readonly kind: null
  readonly conditions: readonly StoredCondition[]
  readonly available: StoredAvailable | null
  readonly data: JsonObject
  readonly metadata: JsonObject | null
  readonly last_report_time: Date
  readonly observed_time: Date
  readonly finalized: boolean
  readonly old_generation: number | null
}

/** A row of the log. */
export type ChangeRow = ResourceChangeRow | StatusChangeRow

/** JSON columns that clients write. A change includes them only if it changes them. */
const DECLARED_COLUMNS = FIELD_LIST.filter(
  ({ patchable, type }) => patchable && type === 'jsonb',
).map(({ column }) => column)

/** These stay JSON text in a ReadRow. */
const TEXTS: ReadonlySet<string> = new Set(['spec', 'labels', 'annotations'])

const asText = (column: string) => (TEXTS.has(column) ? '::text' : '')

/** The select list of a ChangeRow, from `changes` and DECLARED_JOIN. */
export const CHANGE_COLUMNS = [
  'revision, type, resource_id, adapter, moved',
  ...FIELD_LIST.filter(({ column }) => column !== 'id').map(({ column }) => {
    return DECLARED_COLUMNS.includes(column)
      ? `coalesce(changes.${column}, declared.${column})${asText(column)} as ${column}`
      : column
  }),
  ...FIELD_LIST.filter(({ loggedBefore }) => loggedBefore).map(
    ({ column }) => `old_${column}${asText(column)} as old_${column}`,
  ),
  'available, data, metadata, last_report_time, observed_time, finalized',
].join(', ')

const DECLARED_LIST = DECLARED_COLUMNS.join(', ')

/** The values before a change that includes the declared columns. */
const BEFORE = DECLARED_COLUMNS.map(
  (column) => `coalesce(old_${column}, ${column}) as ${column}`,
).join(', ')

/**
 * A lateral join that adds the declared columns to a change that omits them.
 * They equal the values before the next change that includes them, in the log or in the outbox.
 * Without such a change, they equal the current values. The statement reads one snapshot.
 */
export const DECLARED_JOIN = `
  left join lateral (
    select ${DECLARED_LIST} from (
      (select 1 as priority, ${BEFORE} from changes as later
       where later.resource_id = changes.resource_id and later.revision > changes.revision
         and (old_spec is not null or type = 'DELETED')
       order by later.revision limit 1)
      union all
      (select 2, ${BEFORE} from outbox
       where outbox.resource_id = changes.resource_id
         and (old_spec is not null or type = 'DELETED')
       order by outbox.id limit 1)
      union all
      select 3, ${DECLARED_LIST} from resources where id = changes.resource_id
    ) as candidates order by priority limit 1
  ) as declared on changes.spec is null and changes.adapter = ''`

/** Converts a row of the log to a change. */
export function changeOf(row: ChangeRow): Change {
  const { revision, type } = row
  const entry = { revision, type, ...(row.moved === true && { isMove: true }) }
  if (row.kind !== null) {
    const resource = resourceOf({ ...row, id: row.resource_id })
    return { ...entry, subject: 'resource', resource, before: stateBefore(row) }
  }
  return {
    ...entry,
    subject: 'status',
    resourceId: row.resource_id,
    status: statusOf(row),
    rowVersion: row.version,
    observedGenerationBefore: row.old_generation,
  }
}

function stateBefore(row: ResourceChangeRow): SearchedState | null {
  if (row.old_generation === null) return null
  return {
    generation: row.old_generation,
    spec: row.old_spec ?? row.spec,
    labels: row.old_labels ?? row.labels,
    conditions: row.old_conditions,
    requiredAdapters: row.old_required_adapters,
    updatedTime: row.old_updated_time,
    updatedBy: row.old_updated_by,
    deletedTime: row.old_deleted_time,
  }
}

function statusOf(row: StatusChangeRow): StatusRecord {
  return {
    adapter: row.adapter,
    observedGeneration: row.generation,
    conditions: row.conditions,
    available: row.available,
    data: row.data,
    metadata: row.metadata,
    finalized: row.finalized,
    observedTime: row.observed_time,
    createdTime: row.created_time,
    lastReportTime: row.last_report_time,
  }
}
