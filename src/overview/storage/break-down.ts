import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { TenantScope } from '../../access/tenant.ts'
import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'
import { countResources } from '../../store/resources/list/count-resources.ts'
import { scope } from '../../store/resources/list/scope.ts'
import { specScalarText } from '../../store/search/sql/compile-spec.ts'
import type { BreakdownField } from '../breakdown/breakdown-field.ts'
import type { BreakdownRow } from '../breakdown/breakdown-row.ts'

/** The most not-ready resources that a breakdown counts, and the most resources in its totals. */
const MAX_COUNTED = 1_000_000
const MAX_TOTALS = 200_000
/** Of more not-ready resources, about this number is grouped: parsing conditions costs 50 µs each. */
const SAMPLE = 20_000
/** Longer values are cut, as in the indexes of declared fields. */
export const MAX_VALUE_LENGTH = 200

/** The resources of a breakdown. */
export interface BreakdownScope {
  readonly tenant: TenantScope
  readonly kind: string
  /** The compiled search; null for all resources of the kind. */
  readonly filter: Sql | null
}

interface Grouping {
  readonly fields: readonly BreakdownField[]
  /** The required adapters of the kind, with the conditions that expose them. */
  readonly adapters: readonly { readonly adapter: string; readonly type: string }[]
  readonly limit: number
  readonly now: Date
}

/** The rows of a breakdown, before totals. */
export interface GroupedRows {
  readonly notReady: number
  readonly failing: number
  /** Whether all of them are grouped. Otherwise the counts are estimates from a sample. */
  readonly isComplete: boolean
  readonly groups: number
  /** The sum of the counts of all groups. */
  readonly sum: number
  readonly rows: readonly Omit<BreakdownRow, 'total'>[]
}

interface Row {
  readonly failing_resources: number
  readonly groups: number | null
  readonly sum: number | null
  readonly adapter: string | null
  readonly reason: string | null
  readonly dimensions: readonly (string | null)[]
  readonly count: number
  readonly failing: number
  readonly last_hour: number
  readonly last_day: number
  readonly oldest: string
  readonly newest: string
  readonly example: string
  readonly behind: number | null
}

const HOUR_MS = 3_600_000

/** Groups the resources with Ready False. A resource counts once per row. */
export async function groupNotReady(
  database: Database,
  place: BreakdownScope,
  grouping: Grouping,
): Promise<GroupedRows> {
  const notReady = await countResources(database, notReadyIn(place), MAX_COUNTED)
  const step = Math.max(1, Math.ceil(notReady / SAMPLE))
  const rows = await database.query<Row>('break_down', groupStatement(place, grouping, step))
  const first = must(rows[0], 'the counts of a breakdown')
  return {
    notReady,
    failing: Math.min(notReady, first.failing_resources * step),
    isComplete: step === 1,
    groups: first.groups ?? 0,
    sum: (first.sum ?? 0) * step,
    rows: rows
      .filter((row) => row.groups !== null)
      .map((row) => {
        const { adapter, reason, dimensions, oldest, newest, example, behind } = row
        return {
          adapter,
          reason,
          values: dimensions,
          count: row.count * step,
          failing: row.failing * step,
          lastHour: row.last_hour * step,
          lastDay: row.last_day * step,
          oldest,
          newest,
          example,
          generationsBehind: behind,
        }
      }),
  }
}

/**
 * The times of conditions are text in UTC, because a cast of an adapter's time could fail. They order
 * by code point, except for fractions of the same second.
 */
function groupStatement(
  place: BreakdownScope,
  { fields, adapters, limit, now }: Grouping,
  step: number,
): Sql {
  const has = (type: BreakdownField['type']): boolean => fields.some((field) => field.type === type)
  const since = (hours: number): string => new Date(now.getTime() - hours * HOUR_MS).toISOString()
  const adapter = has('adapter') ? sql`adapter` : sql`null::text`
  const reason = has('reason') ? sql`reason` : sql`null::text`
  // A waiting adapter has one of three reasons, which an adapter could also report.
  const state = has('reason') ? sql`is_failing` : sql`null::boolean`
  return sql`
    with broken as materialized (
      select id, generation, conditions, required_adapters, created_time, deleted_time,
        ${valuesOf(fields)} as dimensions
      from resources
      where ${notReadyIn(place)}${step === 1 ? empty : sql` and hashtext(id) % ${step}::integer = 0`}
      limit ${2 * SAMPLE}::integer
    ), unmet as materialized (
      select broken.id, broken.dimensions, cause.adapter, coalesce(cause.is_failing, false) as is_failing,
        cause.reason, cause.behind, coalesce(cause.since, ${CREATED}) as since
      from broken left join lateral (${causes(adapters)}) as cause on true
    ), counted as (
      select id, dimensions, ${adapter} as adapter, ${reason} as reason, ${state} as state,
        bool_or(is_failing) as is_failing, max(behind) as behind, min(since collate "C") as since
      from unmet group by 1, 2, 3, 4, 5
    ), grouped as (
      select adapter, reason, dimensions, count(*)::integer as count,
        (count(*) filter (where is_failing))::integer as failing,
        (count(*) filter (where since >= ${since(1)}::text))::integer as last_hour,
        (count(*) filter (where since >= ${since(24)}::text))::integer as last_day,
        min(since) as oldest, max(since) as newest, max(behind) as behind,
        split_part(max(since || ' ' || id), ' ', 2) as example
      from counted group by adapter, reason, state, dimensions
    ), shown as (
      select *, (count(*) over ())::integer as groups, (sum(count) over ())::integer as sum
      from grouped
      order by failing desc, count desc, oldest, adapter, reason, dimensions
      limit ${limit}::integer
    ), whole as (
      select count(distinct id)::integer as failing_resources from unmet where is_failing
    )
    select * from whole left join shown on true
    order by failing desc, count desc, oldest, adapter, reason, dimensions`
}

/** An adapter that has never reported has been missing since then. */
const CREATED = raw(
  `to_char(broken.created_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
)

function notReadyIn(place: BreakdownScope): Sql {
  return sql`${scope({ ...place, ownerId: null })} and cond @> '{"Ready": "False"}'${filterOf(place)}`
}

/** The required adapters that keep a row of `broken` from being ready. */
function causes(adapters: Grouping['adapters']): Sql {
  const names = adapters.map(({ adapter }) => adapter)
  const types = adapters.map(({ type }) => type)
  return sql`
    select adapter, is_failing,
      case
        when is_failing then reported.reason
        when reported.type is null then 'Missing'
        when reported.observed_generation < broken.generation then 'Behind'
        else 'Ahead'
      end as reason,
      case when reported.observed_generation < broken.generation
        then (broken.generation - reported.observed_generation)::integer end as behind,
      case when is_failing then reported.last_transition_time else reported.ready_since end as since
    from (
      select adapter, type from unnest(${names}::text[], ${types}::text[]) as ofkind (adapter, type)
      union all
      select adapter, ${CONDITION_TYPE}
      from jsonb_array_elements_text(broken.required_adapters) as declared (adapter)
      where adapter <> all(${names}::text[])
    ) as required
    left join (
      select *, max(last_transition_time) filter (where type = 'Ready') over () as ready_since
      from json_to_recordset(broken.conditions) as condition (
        type text, status text, reason text, observed_generation bigint, last_transition_time text)
    ) as reported on reported.type = required.type
    cross join lateral (
      select reported.status = 'False' and reported.observed_generation = broken.generation
        as is_failing
    ) as state
    where (reported.status is distinct from 'True'
        or reported.observed_generation <> broken.generation)
      and (broken.required_adapters is null or broken.required_adapters ? required.adapter
        or (broken.deleted_time is not null and reported.type is not null))`
}

/** The condition that exposes an adapter, as `conditionType` names it. */
const CONDITION_TYPE = raw(`(
  select string_agg(upper(left(part, 1)) || substr(part, 2), '' order by place) || 'Successful'
  from unnest(string_to_array(adapter, '-')) with ordinality as parts (part, place))`)

function filterOf({ filter }: BreakdownScope): Sql {
  return filter === null ? empty : sql` and (${filter})`
}

/** The values of labels and fields of the spec. */
function valuesOf(fields: readonly BreakdownField[]): Sql {
  const values = fields.flatMap((field) => {
    if (field.type === 'label') return [sql`labels ->> ${field.key}::text`]
    return field.type === 'spec' ? [specScalarText(field.path)] : []
  })
  if (values.length === 0) return sql`'{}'::text[]`
  const cut = values.map((value) => sql`left(${value}, ${raw(String(MAX_VALUE_LENGTH))})`)
  return sql`array[${join(cut, ', ')}]`
}

interface Totaled {
  readonly fields: readonly BreakdownField[]
  /** The values of the fields of each group. */
  readonly groups: readonly (readonly (string | null)[])[]
}

/**
 * The numbers of resources, ready or not, with these values; null if there are too many resources to
 * count.
 */
export async function readGroupTotals(
  database: Database,
  place: BreakdownScope,
  { fields, groups }: Totaled,
): Promise<ReadonlyMap<string, number> | null> {
  const keys = [...new Set(groups.map((values) => JSON.stringify(values)))]
  const rows = await database.query<{ key: string; count: number; scanned: number }>(
    'break_down_totals',
    sql`
    select key, count, scanned from (
      select to_json(dimensions)::text as key, count(*)::integer as count,
        (sum(count(*)) over ())::integer as scanned
      from (
        select ${valuesOf(fields)} as dimensions from resources
        where ${scope({ ...place, ownerId: null })}${filterOf(place)}
        limit ${MAX_TOTALS + 1}::integer
      ) as scanned
      group by dimensions
    ) as totals
    where key = any(${keys}::text[])`,
  )
  if ((rows[0]?.scanned ?? 0) > MAX_TOTALS) return null
  return new Map(rows.map(({ key, count }) => [key, count]))
}
