import type { ResourceCondition } from '../../../store/model/condition.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { ReportedResource } from '../../../store/model/resource.ts'
import { conditionType } from '../conditions/condition-type.ts'
import type { Database } from '../../../store/database/database.ts'
import { conditionMap } from '../../../store/resources/resource-row.ts'
import { rowKey } from '../../../store/resources/row-key.ts'
import { type CompletedLease, completion } from './complete-lease.ts'

/**
 * Writes many reports in one statement and one flush, and returns the ones that it wrote. A resource
 * whose conditions change ($1 to $4) is written with all its reports of the batch or not at all:
 * `ready` are the resources at the version that was read whose reports are all at the row versions
 * that were read. A report that changes no conditions needs only its own row version. A report with
 * a lease (`token`) is written only while its lease is held, and completes the lease.
 * Skips rows locked by other transactions (`skip locked`).
 */
const WRITE_REPORTS = {
  name: 'write_reports',
  text: `
    with changing as (
      select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[])
        as changing (id, version, conditions, cond)
    ), report as (
      select * from json_to_recordset($5::json) as report (
        resource_id text, adapter text, observed_generation integer, conditions json,
        available json, available_generation integer, data json, metadata json,
        created_time timestamptz, last_report_time timestamptz, observed_time timestamptz,
        finalized boolean, condition_type text, revision integer, next_revision integer,
        changes boolean, token text, lease_outcome text, again_seconds double precision)
    ), leased as materialized (
      select resource_id, adapter from adapter_work as work join report using (resource_id, adapter)
      where report.token is not null and work.token = report.token and work.wake_time > now()
      order by resource_id, adapter for update of work skip locked
    ), unleased as materialized (
      select resource_id, adapter from report left join leased using (resource_id, adapter)
      where report.token is not null and leased.adapter is null
    ), locked as materialized (
      select resources.id from resources join changing using (id)
      where resources.version = changing.version
        and not exists (select 1 from unleased where unleased.resource_id = resources.id)
      order by resources.id for update of resources skip locked
    ), held as materialized (
      select resource_id, adapter from adapter_statuses join report using (resource_id, adapter)
      where adapter_statuses.revision = report.revision
        and (resource_id, adapter) not in (select resource_id, adapter from unleased)
        and (not changes or exists (select 1 from locked where id = resource_id))
      order by resource_id, adapter for update of adapter_statuses skip locked
    ), ready as materialized (
      select id from locked where not exists (
        select 1 from report left join held using (resource_id, adapter)
        where report.resource_id = locked.id and report.revision > 0 and held.adapter is null)
    ), changed as (
      update resources set
        conditions = changing.conditions::json,
        cond = changing.cond::jsonb,
        version = changing.version + 1
      from changing join ready using (id)
      where resources.id = changing.id and resources.version = changing.version
    ), updated as (
      update adapter_statuses as stored set
        observed_generation = report.observed_generation,
        conditions = report.conditions,
        available = report.available,
        available_generation = report.available_generation,
        data = report.data,
        metadata = report.metadata,
        last_report_time = report.last_report_time,
        observed_time = report.observed_time,
        finalized = report.finalized,
        revision = report.next_revision
      from report join held using (resource_id, adapter)
      where stored.resource_id = report.resource_id and stored.adapter = report.adapter
        and stored.revision = report.revision
        and (not changes or exists (select 1 from ready where id = report.resource_id))
      returning stored.resource_id, stored.adapter
    ), inserted as (
      insert into adapter_statuses (
        resource_id, adapter, observed_generation, conditions, available, available_generation,
        data, metadata, created_time, last_report_time, observed_time, finalized, condition_type,
        revision)
      select resource_id, adapter, observed_generation, report.conditions, available,
        available_generation, data, metadata, created_time, last_report_time,
        observed_time, finalized, condition_type, next_revision
      from report join ready on id = resource_id
      where revision = 0
      returning resource_id, adapter
    ), written as (
      select resource_id, adapter from updated union all select resource_id, adapter from inserted
    ), completed as (
      update adapter_work as work set
        ${completion({
          outcome: 'report.lease_outcome',
          againSeconds: 'report.again_seconds',
          generation: 'report.observed_generation',
        })}
      from report join written using (resource_id, adapter)
      where report.token is not null
        and work.resource_id = report.resource_id and work.adapter = report.adapter
    )
    select resource_id, adapter from written`,
}

/** A resource as it was read, with its new conditions. */
export interface ConditionsWrite {
  readonly resource: ReportedResource
  readonly conditions: readonly ResourceCondition[]
}

/** The new row of an adapter. */
export interface ReportRow {
  readonly resourceId: string
  readonly status: StatusRecord
  /** The row version that was read, or 0 for a first report. */
  readonly rowVersion: number
  /** The number of reports that the row results from. */
  readonly count: number
  /** Whether the conditions of its resource change too, as with every first report. */
  readonly changes: boolean
  /** The lease that the report completes. */
  readonly lease: CompletedLease | null
}

/** Writes the rows that have not changed since the read; returns the keys of the written rows. */
export async function writeReports(
  database: Database,
  changing: readonly ConditionsWrite[],
  rows: readonly ReportRow[],
): Promise<ReadonlySet<string>> {
  const written = await database.execute<{ resource_id: string; adapter: string }>(WRITE_REPORTS, [
    ...conditionsColumns(changing),
    // Not arrays per column: JSON in a text array would need another level of quoting.
    JSON.stringify(rows.map(recordOf)),
  ])
  return new Set(written.map(({ resource_id, adapter }) => rowKey(resource_id, adapter)))
}

function conditionsColumns(changing: readonly ConditionsWrite[]): readonly unknown[] {
  return [
    changing.map(({ resource }) => resource.id),
    changing.map(({ resource }) => resource.version),
    changing.map(({ conditions }) => JSON.stringify(conditions)),
    changing.map(({ conditions }) => JSON.stringify(conditionMap(conditions))),
  ]
}

function recordOf({ resourceId, status, rowVersion, count, changes, lease }: ReportRow): object {
  const isFirst = rowVersion === 0
  return {
    resource_id: resourceId,
    adapter: status.adapter,
    observed_generation: status.observedGeneration,
    conditions: status.conditions,
    available: status.available,
    available_generation: status.available?.observed_generation ?? null,
    data: status.data,
    metadata: status.metadata,
    created_time: isFirst ? status.createdTime : null,
    last_report_time: status.lastReportTime,
    observed_time: status.observedTime,
    finalized: status.finalized,
    condition_type: isFirst ? conditionType(status.adapter) : null,
    revision: rowVersion,
    next_revision: rowVersion + count,
    changes,
    ...(lease && {
      token: lease.token,
      lease_outcome: lease.outcome,
      again_seconds: lease.againSeconds,
    }),
  }
}
