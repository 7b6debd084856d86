import type { ResourceCondition } from '../../../store/model/condition.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { ReportedResource } from '../../../store/model/resource.ts'
import type { Database } from '../../../store/database/database.ts'
import { reportValues } from './report-values.ts'
import { conditionMap } from '../../../store/resources/resource-row.ts'
import {
  type CompletedLease,
  type LeaseClauses,
  leaseClauses,
  leaseValues,
} from './complete-lease.ts'

/**
 * Locks the resource first and the report second, like every writer. Writes nothing if the version
 * of the resource has changed. If only the row version of the report has, the resource is already
 * updated, so the statement fails with SQLSTATE 40001. $13 is the row version that was read, 0 for
 * none. $17 means that only children keep the resource, so it must still have one.
 */
const storeText = ({ held, condition, completed }: LeaseClauses): string => `
    with ${held}changed as (
      update resources
      set conditions = $14::json, cond = $15::jsonb, version = version + 1
      where id = $1::text and version = $16::bigint ${condition}
      returning id
    ), stored as (
      insert into adapter_statuses as old (
        resource_id, adapter, observed_generation, conditions, available, available_generation,
        data, metadata, created_time, last_report_time, observed_time, finalized, condition_type,
        revision)
      select id, $2::text, $3::integer, $4::json, $5::json,
        ($5::json ->> 'observed_generation')::integer, $6::json, $7::json,
        $8::timestamptz, $9::timestamptz, $10::timestamptz, $11::boolean, $12::text,
        $13::integer + 1
      from changed
      on conflict (resource_id, adapter) do update set
        observed_generation = excluded.observed_generation,
        conditions = excluded.conditions,
        available = excluded.available,
        available_generation = excluded.available_generation,
        data = excluded.data,
        metadata = excluded.metadata,
        last_report_time = excluded.last_report_time,
        observed_time = excluded.observed_time,
        finalized = excluded.finalized,
        condition_type = excluded.condition_type,
        revision = excluded.revision
      where old.revision = $13::integer
      returning revision
    )${completed}
    select case
      when not exists (select 1 from changed) then false
      when not exists (select 1 from stored) then serialization_conflict()
      when $17::boolean and not has_child($1::text) then serialization_conflict()
      else true
    end as written`

const STORE_REPORT = {
  name: 'store_report',
  text: storeText({ held: '', condition: '', completed: '' }),
}

const STORE_LEASED_REPORT = {
  name: 'store_leased_report',
  text: `${storeText(leaseClauses(18))} from held_lease`,
}

export interface ReportWrite {
  /** The resource as it was read. */
  readonly resource: ReportedResource
  readonly conditions: readonly ResourceCondition[]
  readonly status: StatusRecord
  /** The row version that was read, or 0 for a first report. */
  readonly rowVersion: number
  /** Whether only children keep the resource, so that it must still have one. */
  readonly awaitsChildren: boolean
}

/** Stores a report and the resulting conditions; false if the resource changed since the read. */
export async function storeReport(database: Database, write: ReportWrite): Promise<boolean> {
  const rows = await database.execute<{ written: boolean }>(STORE_REPORT, valuesOf(write))
  return rows[0]?.written === true
}

/** Stores a report and completes its lease. Null if the lease has ended. */
export async function storeLeasedReport(
  database: Database,
  write: ReportWrite,
  lease: CompletedLease,
): Promise<boolean | null> {
  const values = [...valuesOf(write), ...leaseValues(lease)]
  const [row] = await database.execute<{ written: boolean }>(STORE_LEASED_REPORT, values)
  return row?.written ?? null
}

function valuesOf(write: ReportWrite): readonly unknown[] {
  return [
    ...reportValues(write.resource.id, write.status),
    write.rowVersion,
    JSON.stringify(write.conditions),
    JSON.stringify(conditionMap(write.conditions)),
    write.resource.version,
    write.awaitsChildren,
  ]
}
