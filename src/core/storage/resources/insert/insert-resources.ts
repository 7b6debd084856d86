import type { Resource } from '../../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type InsertOutcome, insertOutcome } from './insert-resource.ts'
import { conditionMap } from '../resource-row.ts'

/** Characters of one statement's rows; longer ones would take much memory of both sides. */
const MAX_LENGTH = 4_194_304

/**
 * Many new resources in one statement and one flush; each goes in or stays out by itself. Parents
 * are locked in order of their ids against deletion; a parent locked by another transaction is
 * skipped, so that no row of the batch waits for it. Rows go in by name, in the same order in every
 * process, so that two batches with the same names do not deadlock.
 */
const INSERT_RESOURCES = {
  name: 'insert_resources',
  text: `
    with resource as materialized (
      select * from json_to_recordset($1::json) as resource (
        id text, kind text, name text, owner_id text, generation integer, version bigint,
        spec jsonb, labels jsonb, annotations jsonb, conditions json, cond jsonb,
        created_time timestamptz, updated_time timestamptz, created_by text, updated_by text,
        tenant text, parent_kind text)
    ), parent as materialized (
      select id, tenant, kind, deleted_time is null as live from resources
      where id = any(array(select owner_id from resource where parent_kind is not null))
      order by id for share skip locked
    ), inserted as (
      insert into resources (
        id, kind, name, owner_id, generation, version, spec, labels, annotations,
        conditions, cond, created_time, updated_time, created_by, updated_by, tenant)
      select id, kind, name, owner_id, generation, version, spec, labels, annotations,
        conditions, cond, created_time, updated_time, created_by, updated_by, tenant
      from resource
      where parent_kind is null or exists (
        select 1 from parent
        where parent.id = resource.owner_id and parent.kind = parent_kind
          and parent.tenant = resource.tenant and live)
      order by tenant, kind, owner_id, name
      on conflict (tenant, kind, owner_id, name) where deleted_time is null do nothing
      returning id
    )
    select resource.id, inserted.id is not null as inserted,
      case when parent_kind is null then true else parent.live end as parent_live
    from resource
    left join inserted on inserted.id = resource.id
    left join parent on parent.id = resource.owner_id and parent.kind = parent_kind
      and parent.tenant = resource.tenant`,
}

/** A new resource that refers to nothing. */
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
 * Stores new resources in one statement: as many from the front as fit into it, at least one. Their
 * outcomes are in the same order. An outcome is null if the parent is missing or locked by another
 * transaction: a single insertion waits and finds out.
 */
export async function insertResources(
  database: Database,
  insertions: readonly Insertion[],
): Promise<readonly (InsertOutcome | null)[]> {
  const records = recordsOf(insertions)
  const rows = await database.execute<Row>(INSERT_RESOURCES, [`[${records.join(',')}]`])
  const outcomes = new Map(rows.map((row) => [row.id, outcomeOf(row)]))
  return insertions
    .slice(0, records.length)
    .map(({ resource }) => outcomes.get(resource.id) ?? null)
}

function outcomeOf(row: Row): InsertOutcome | null {
  return row.parent_live === null ? null : insertOutcome(row)
}

/** The rows that fit into one statement. */
function recordsOf(insertions: readonly Insertion[]): readonly string[] {
  const records: string[] = []
  let length = 0
  for (const insertion of insertions) {
    const record = recordOf(insertion)
    length += record.length
    if (records.length > 0 && length > MAX_LENGTH) break
    records.push(record)
  }
  return records
}

function recordOf({ resource, parentKind }: Insertion): string {
  return JSON.stringify({
    id: resource.id,
    kind: resource.kind,
    name: resource.name,
    owner_id: resource.ownerId,
    generation: resource.generation,
    version: String(resource.version),
    spec: resource.spec,
    labels: resource.labels,
    annotations: resource.annotations,
    conditions: resource.conditions,
    cond: conditionMap(resource.conditions),
    created_time: resource.createdTime,
    updated_time: resource.updatedTime,
    created_by: resource.createdBy,
    updated_by: resource.updatedBy,
    tenant: resource.tenant,
    parent_kind: parentKind,
  })
}
