import type { ResourceCondition } from '../model/condition.ts'
import type { AdapterStatus } from '../model/report.ts'
import type { ReportedResource } from '../model/resource.ts'
import { conditionType } from '../status/condition-type.ts'
import type { Database } from './database.ts'
import { conditionMap } from './resource-row.ts'

/**
 * Many reports in one statement and one flush. A resource whose conditions change ($1 to $4) is
 * written with all its reports of the batch or not at all: `ready` are those that are still at the
 * version that was read and whose reports are all at the revisions that were read. A report that
 * changes no conditions needs its own revision only; what one that repeats its row says is not
 * sent. Returns the reports that were written.
 * Waits for nobody: what another transaction has locked is not written.
 */
const WRITE_REPORTS = {
  name: 'write_reports',
  text: `
    with changing as (
      select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[])
        as changing (id, version, conditions, cond)
    ), report as (
      select * from unnest(
        $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::integer[], $11::text[],
        $12::text[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[], $16::boolean[],
        $17::text[], $18::integer[], $19::integer[], $20::boolean[], $21::boolean[]
      ) as report (
        resource_id, adapter, observed_generation, conditions, available, available_generation,
        data, metadata, created_time, last_report_time, observed_time, finalized, condition_type,
        revision, next_revision, changes, repeats)
    ), locked as materialized (
      select resources.id from resources join changing using (id)
      where resources.version = changing.version
      order by resources.id for update of resources skip locked
    ), held as materialized (
      select resource_id, adapter from adapter_statuses join report using (resource_id, adapter)
      where adapter_statuses.revision = report.revision
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
        conditions = case when repeats then stored.conditions else report.conditions::json end,
        available = case when repeats then stored.available else report.available::json end,
        available_generation = case when repeats then stored.available_generation
          else report.available_generation end,
        data = report.data::json,
        metadata = report.metadata::json,
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
      select resource_id, adapter, observed_generation, report.conditions::json, available::json,
        available_generation, data::json, metadata::json, created_time, last_report_time,
        observed_time, finalized, condition_type, next_revision
      from report join ready on id = resource_id
      where revision = 0
      returning resource_id, adapter
    )
    select resource_id, adapter from updated union all select resource_id, adapter from inserted`,
}

/** A resource as it was read, with the conditions that it is to have. */
export interface ConditionsWrite {
  readonly resource: ReportedResource
  readonly conditions: readonly ResourceCondition[]
}

/** What is to be the row of an adapter. */
export interface ReportRow {
  readonly resourceId: string
  readonly status: AdapterStatus
  /** The row's revision as it was read, 0 where there was none. */
  readonly revision: number
  /** How many reports came to this row. */
  readonly count: number
  /** Whether it goes with new conditions of its resource, as every first report does. */
  readonly changes: boolean
  /** Whether it says what the row says: then its conditions stay as they are. */
  readonly repeats: boolean
}

/** Writes what nothing has changed meanwhile; returns the keys of those rows. */
export async function writeReports(
  database: Database,
  changing: readonly ConditionsWrite[],
  rows: readonly ReportRow[],
): Promise<ReadonlySet<string>> {
  const written = await database.execute<{ resource_id: string; adapter: string }>(WRITE_REPORTS, [
    ...conditionsColumns(changing),
    ...rowColumns(rows),
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

/** What a row has already is null: the conditions of one that repeats, the birth of one that is. */
function rowColumns(rows: readonly ReportRow[]): readonly unknown[] {
  const column = <T>(of: (status: AdapterStatus, row: ReportRow) => T): T[] =>
    rows.map((row) => of(row.status, row))
  const said = <T>(of: (status: AdapterStatus) => T): (T | null)[] =>
    column((status, { repeats }) => (repeats ? null : of(status)))
  const first = <T>(of: (status: AdapterStatus) => T): (T | null)[] =>
    column((status, { revision }) => (revision > 0 ? null : of(status)))
  return [
    rows.map(({ resourceId }) => resourceId),
    column(({ adapter }) => adapter),
    column(({ observedGeneration }) => observedGeneration),
    said(({ conditions }) => JSON.stringify(conditions)),
    said(({ available }) => available && JSON.stringify(available)),
    said(({ available }) => available?.observed_generation ?? null),
    column(({ data }) => JSON.stringify(data)),
    column(({ metadata }) => metadata && JSON.stringify(metadata)),
    first(({ createdTime }) => createdTime.toISOString()),
    // pg would write a Date in the zone of this machine, and take longer.
    column(({ lastReportTime }) => lastReportTime.toISOString()),
    column(({ observedTime }) => observedTime.toISOString()),
    column(({ finalized }) => finalized),
    first(({ adapter }) => conditionType(adapter)),
    rows.map(({ revision }) => revision),
    rows.map(({ revision, count }) => revision + count),
    rows.map(({ changes }) => changes),
    rows.map(({ repeats }) => repeats),
  ]
}

/** Names the row of an adapter: ids have no blank. */
export function rowKey(resourceId: string, adapter: string): string {
  return `${resourceId} ${adapter}`
}
