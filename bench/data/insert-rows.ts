import type pg from 'pg'
import type { StoredState } from './stored-state.ts'

/** A resource to insert. `state` is its key in `Batch.states`. */
export interface SeedRow {
  readonly id: string
  readonly name: string
  readonly owner_id: string
  readonly labels: object
  readonly spec: object
  readonly created_time: string
  readonly state: string
}

export interface Batch {
  readonly kind: string
  readonly rows: readonly SeedRow[]
  readonly states: ReadonlyMap<string, StoredState>
}

const INSERT_RESOURCES = `
  insert into resources (
    id, kind, name, owner_id, generation, version, spec, labels, conditions, cond,
    created_time, updated_time, created_by, updated_by)
  select row.id, $2::text, row.name, row.owner_id, 1, state.version, row.spec, row.labels,
    state.conditions, state.cond, row.created_time, row.created_time,
    'seed@example.com', 'seed@example.com'
  from json_to_recordset($1::json) as row (
    id text, name text, owner_id text, spec jsonb, labels jsonb, created_time timestamptz,
    state text)
  join json_to_recordset($3::json) as state (
    state text, version bigint, conditions json, cond jsonb) using (state)
  on conflict do nothing`

const INSERT_STATUSES = `
  insert into adapter_statuses (
    resource_id, adapter, observed_generation, revision, conditions, available,
    available_generation, data, metadata, created_time, last_report_time, observed_time,
    finalized, condition_type)
  select row.id, status.adapter, status.observed_generation, 1, status.conditions,
    status.available, status.available_generation, status.data, status.metadata,
    status.created_time, status.last_report_time, status.observed_time, status.finalized,
    status.condition_type
  from unnest($1::text[], $2::text[]) as row (id, state)
  join json_to_recordset($3::json) as status (
    state text, adapter text, observed_generation integer, conditions json, available json,
    available_generation integer, data json, metadata json, created_time timestamptz,
    last_report_time timestamptz, observed_time timestamptz, finalized boolean,
    condition_type text) using (state)
  on conflict do nothing`

/** Inserts resources with their reports. Leaves existing rows unchanged. */
export async function insertRows(client: pg.Client, { kind, rows, states }: Batch): Promise<void> {
  const named = [...states].map(([state, stored]) => ({ state, ...stored }))
  await client.query(INSERT_RESOURCES, [JSON.stringify(rows), kind, JSON.stringify(named)])
  const statuses = named.flatMap((stored) =>
    stored.statuses.map((status) => ({ state: stored.state, ...status })),
  )
  if (statuses.length === 0) return
  const ids = rows.map(({ id }) => id)
  const rowStates = rows.map(({ state }) => state)
  await client.query(INSERT_STATUSES, [ids, rowStates, JSON.stringify(statuses)])
}
