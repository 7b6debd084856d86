import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type InsertOutcome, insertOutcome } from './insert-resource.ts'
import { INSERTED_COLUMNS, newRow } from '../resource-row.ts'

/** The most characters of rows in one statement, to limit memory here and in PostgreSQL. */
export const MAX_ROWS_LENGTH = 4_194_304

const ROW_COLUMNS = INSERTED_COLUMNS.map(({ name }) => name).join(', ')
const ROW_TYPES = INSERTED_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')

/**
 * Inserts many resources with one statement and one flush; each succeeds or fails separately.
 * Parents are locked in order of their ids. Parents locked by other transactions are skipped (`skip
 * locked`), so that the batch does not wait. Rows are inserted in the order of their names, so that
 * two batches with the same names do not deadlock.
 */
const INSERT_RESOURCES = {
  name: 'insert_resources',
  text: `
    with resource as materialized (
      select * from json_to_recordset($1::json) as resource (
        ${ROW_TYPES}, parent_kind text)
    ), parent as materialized (
      select id, tenant, kind, deleted_time is null as live,
        required_adapters is not null as declares
      from resources
      where id = any(array(select owner_id from resource where parent_kind is not null))
      order by id for share skip locked
    ), inserted as (
      insert into resources (${ROW_COLUMNS})
      select ${ROW_COLUMNS}
      from resource
      where parent_kind is null or exists (
        select 1 from parent
        where parent.id = resource.owner_id and parent.kind = parent_kind
          and parent.tenant = resource.tenant and live
          and (not declares or resource.required_adapters is not null))
      order by tenant, kind, owner_id, name
      on conflict (tenant, kind, owner_id, name) where deleted_time is null do nothing
      returning id
    )
    select resource.id, inserted.id is not null as inserted,
      case when parent_kind is null then true
        when not declares or resource.required_adapters is not null then parent.live
      end as parent_live
    from resource
    left join inserted on inserted.id = resource.id
    left join parent on parent.id = resource.owner_id and parent.kind = parent_kind
      and parent.tenant = resource.tenant`,
}

/** A new resource without references. */
export interface Insertion {
  readonly resource: Resource
  /** Null for a root kind. */
  readonly parentKind: string | null
}

interface Row {
  readonly id: string
  readonly inserted: boolean
  readonly parent_live: boolean | null
}

/**
 * Stores the first of these resources that fit into one statement, at least one, and returns their
 * outcomes in the same order. An outcome is null if the parent is missing, declares its adapters, or
 * is locked by another transaction: `insertResource` waits for the lock and distinguishes them.
 */
export async function insertResources(
  database: Database,
  insertions: readonly Insertion[],
): Promise<readonly (InsertOutcome | null)[]> {
  const records = recordsOf(insertions)
  const rows = await database.execute<Row>(INSERT_RESOURCES, [`[${records.join(',')}]`])
  const found = new Map(rows.map((row) => [row.id, row]))
  return insertions.slice(0, records.length).map(({ resource }) => {
    const row = found.get(resource.id)
    if (!row || row.parent_live === null) return null
    return insertOutcome({ ...row, parent_adapters: null }, resource)
  })
}

/** The rows that fit into one statement. */
function recordsOf(insertions: readonly Insertion[]): readonly string[] {
  const records: string[] = []
  let length = 0
  for (const insertion of insertions) {
    const record = recordOf(insertion)
    length += record.length
    if (records.length > 0 && length > MAX_ROWS_LENGTH) break
    records.push(record)
  }
  return records
}

function recordOf({ resource, parentKind }: Insertion): string {
  return JSON.stringify({ ...newRow(resource), parent_kind: parentKind })
}
