import type { Resource } from '../model/resource.ts'
import type { AdapterState, StoredAvailable, StoredCondition } from '../model/report.ts'
import type { Database } from './database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { RESOURCE_COLUMNS, resourceOf, type ResourceRow } from './resource-row.ts'

/** Every adapter's state, and of the reporting one also its conditions. */
const READ_FOR_REPORT = {
  name: 'read_for_report',
  text: `
    select ${RESOURCE_COLUMNS}, (
      select json_agg(json_build_object(
        'adapter', adapter,
        'observed_generation', observed_generation,
        'revision', revision,
        'available', available,
        'conditions', case when adapter = $4::text then conditions end,
        'created_time', (extract(epoch from adapter_statuses.created_time) * 1000)::bigint,
        'last_report_time', (extract(epoch from last_report_time) * 1000)::bigint))
      from adapter_statuses where resource_id = resources.id
    ) as states
    from resources
    where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)`,
}

interface StateColumn {
  readonly adapter: string
  readonly observed_generation: number
  readonly revision: number
  readonly available: StoredAvailable | null
  readonly conditions: readonly StoredCondition[] | null
  readonly created_time: number
  readonly last_report_time: number
}

/** The stored row of the adapter that reports now. */
export interface StoredReport extends AdapterState {
  readonly revision: number
  readonly conditions: readonly StoredCondition[]
}

/** What a report is judged by. */
export interface ReportBasis {
  readonly resource: Resource
  readonly states: readonly AdapterState[]
  readonly stored: StoredReport | null
}

/** Reads a resource with the state of all its adapters; null where there is no such resource. */
export async function readForReport(
  database: Database,
  key: ResourceKey,
  adapter: string,
): Promise<ReportBasis | null> {
  if (!isStorableKey(key)) return null
  const rows = await database.execute<ResourceRow & { states: readonly StateColumn[] | null }>(
    READ_FOR_REPORT,
    [key.id, key.kind, key.ownerId ?? null, adapter],
  )
  const row = rows[0]
  if (!row) return null
  const states = (row.states ?? []).map(stateOf)
  const stored = states.find((state) => state.adapter === adapter) ?? null
  return { resource: resourceOf(row), states, stored }
}

function stateOf(state: StateColumn): StoredReport {
  return {
    adapter: state.adapter,
    observedGeneration: state.observed_generation,
    revision: state.revision,
    available: state.available,
    conditions: state.conditions ?? [],
    createdTime: new Date(state.created_time),
    lastReportTime: new Date(state.last_report_time),
  }
}
