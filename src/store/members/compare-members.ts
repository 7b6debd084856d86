import sql, { type Sql } from 'sql-template-tag'
import { assert } from '../../lib/assert.ts'
import type { Database } from '../database/database.ts'
import { memberEntries, entryColumns, type MemberQuery } from './member-entries.ts'
import type { MemberEntry } from './member-entry.ts'

/** The most items of each list. */
const MAX_LISTED = 1000

/** The state that a group expects of its members. */
export interface ComparisonQuery extends MemberQuery {
  /** Hash of the current content. */
  readonly template: string
  readonly now: Date
  /** Names that are not listed as missing. */
  readonly skip: readonly string[]
  /** The adapters that finalize a deleted member. */
  readonly requiredAdapters: readonly string[]
  /** The adapters that members declare; null if they require those of their kind. */
  readonly declaredAdapters: readonly string[] | null
  /** Whether surplus members stay until their reset, so that they are clean when they leave. */
  readonly resetsSurplus: boolean
}

export interface ComparedMember {
  readonly id: string
  readonly name: string
}

/** The difference between a group and its members. Lists are in the order in which they change. */
export interface MemberComparison {
  readonly wanted: number
  readonly members: number
  readonly ready: number
  readonly available: number
  readonly updated: number
  readonly claimed: number
  readonly failed: number
  readonly terminating: number
  readonly missing: readonly string[]
  readonly conflicts: readonly string[]
  readonly surplus: readonly ComparedMember[]
  /** The number of surplus members that stay until their reset. */
  readonly awaited_surplus: number
  readonly outdated: readonly (ComparedMember & { readonly available: boolean })[]
  readonly recycling: readonly string[]
  /** Names of unclean members. */
  readonly unclean: readonly string[]
  readonly undeclared: readonly string[]
  readonly expired: number
  readonly next_expiry: Date | null
  readonly first_claim: Date | null
  readonly waiting_for: readonly string[]
  readonly entries: readonly MemberEntry<string>[]
}

/**
 * Compares the wanted members of a group with its resources, in one statement and one snapshot.
 * The plan depends on the number of members, so the statement is not prepared. Differences are
 * `not in`, which PostgreSQL hashes: without statistics, it would run `not exists` as a nested loop.
 */
export async function compareMembers(
  database: Database,
  query: ComparisonQuery,
): Promise<MemberComparison> {
  const statement = comparisonStatement(query)
  const [row] = await database.query<MemberComparison>('compare_members', statement)
  assert(row !== undefined, 'a comparison has one row')
  return row
}

/** The statement, for the test of its plan. */
export function comparisonStatement(query: ComparisonQuery): Sql {
  return sql`
    with ${memberEntries(query)}, ${changes(query)}
    select size.wanted, size.total as members, size.claimed, counted.*,
      ${listsOf(query)}
    from size cross join (${countsOf(query)}) as counted`
}

/** The surplus and the other members. Claimed members are surplus only without a wanted one. */
function changes({ naming, resetsSurplus }: ComparisonQuery): Sql {
  const isRemovable = naming.type === 'none' ? sql`true` : sql`member.state <> 'Claimed'`
  const isSurplus =
    naming.type === 'names'
      ? sql`ranked.index is null`
      : sql`ranked.rank <= (select total - wanted from size)`
  return sql`ranked as materialized (
      select member.id, member.name, member.index, member.state,
        row_number() over (order by member.index is not null,
          member.is_first desc, member.index desc, member.name desc
        ) as rank
      from member
      where ${isRemovable} and exists (
        select 1 from size where total > wanted or ${naming.type === 'names'}::boolean)
    ), surplus as materialized (
      select id, name, rank, state = 'Recycling' and ${resetsSurplus}::boolean as is_awaited
      from ranked where ${isSurplus}
    ), kept as (
      select * from member where id not in (select id from surplus)
    ), terminating as materialized (
      select id from row_of_group where is_terminating
    )`
}

function countsOf({ template, now }: ComparisonQuery): Sql {
  const time = sql`${now}::timestamptz`
  return sql`
      select count(*) filter (where is_ready)::integer as ready,
        count(*) filter (where is_ready and state = 'Available')::integer as available,
        count(*) filter (where template = ${template}::text)::integer as updated,
        count(*) filter (where state = 'Claimed' and expires_time <= ${time})::integer as expired,
        min(expires_time) filter (where expires_time > ${time}) as next_expiry,
        min(first_claimed_time) as first_claim
      from member`
}

/** The lists, each as a JSON array. */
function listsOf(query: ComparisonQuery): Sql {
  const { template, skip } = query
  const limit = sql`limit ${MAX_LISTED}::integer`
  return sql`
      (select count(*)::integer from slot where id is not null and not is_orphan) as failed,
      (select count(*)::integer from terminating) as terminating,
      (select coalesce(json_agg(name order by index), '[]') from (
        select name, index from slot
        where (id is null or is_orphan) and name <> all(${[...skip]}::text[])
        order by index ${limit}) as listed) as missing,
      (select coalesce(json_agg(name order by index), '[]') from (
        select name, index from slot where id is not null and not is_orphan
        order by index ${limit}) as listed) as conflicts,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by rank), '[]')
        from (select id, name, rank from surplus where not is_awaited order by rank ${limit}) as listed
      ) as surplus,
      (select count(*)::integer from surplus where is_awaited) as awaited_surplus,
      (select coalesce(json_agg(json_build_object(
          'id', id, 'name', name, 'available', is_ready) order by index, name), '[]') from (
        select id, name, index, is_ready from kept
        where state = 'Available' and template <> ${template}::text
        order by index, name ${limit}) as listed) as outdated,
      (select coalesce(json_agg(id), '[]') from (
        select id from member where state = 'Recycling'
          and id not in (select id from surplus where not is_awaited) ${limit}) as listed) as recycling,
      (select coalesce(json_agg(name order by index, name), '[]') from (
        select name, index from member where state = 'Unclean'
        order by index, name ${limit}) as listed) as unclean,
      ${waitingFor(query)} as waiting_for,
      (select coalesce(json_agg(id), '[]') from (
        select id from row_of_group
        where (is_terminating or is_labelled)
          and required_adapters is distinct from ${declaredJson(query)}::jsonb
          or is_terminating and ${isLeftByOlderServer(query)}
        order by id ${limit}) as listed) as undeclared,
      (select coalesce(json_agg(listed order by index, name), '[]') from (
        select ${entryColumns(query)}
        from (select * from entry order by index, name ${limit}) as entry
        left join resources on resources.id = entry.id) as listed) as entries`
}

/**
 * Whether a deleted member has a child with other adapters, or could be removed: servers of older
 * versions know only the adapters of the kind. The index of owners has only rows with an owner.
 */
function isLeftByOlderServer(query: ComparisonQuery): Sql {
  const declared = declaredJson(query)
  if (declared === null) return sql`false`
  return sql`(
            exists (
              select 1 from resources as child
              where child.owner_id = row_of_group.id and child.owner_id <> ''
                and child.required_adapters is distinct from ${declared}::jsonb)
            or not exists (
              select 1 from (
                select id, generation from resources as root where root.id = row_of_group.id
                union all
                select id, generation from resources as child
                where child.owner_id = row_of_group.id and child.owner_id <> ''
              ) as node
              where exists (
                  select 1 from (
                    select jsonb_array_elements_text(${declared}::jsonb)
                    union select adapter from adapter_statuses where resource_id = node.id
                  ) as required (adapter)
                  where not exists (
                    select 1 from adapter_statuses as report
                    where report.resource_id = node.id and report.adapter = required.adapter
                      and report.finalized and report.observed_generation = node.generation))
                or exists (
                  select 1 from resources as grandchild
                  where grandchild.owner_id = node.id and grandchild.owner_id <> ''
                    and node.id <> row_of_group.id)))`
}

function declaredJson({ declaredAdapters }: ComparisonQuery): string | null {
  return declaredAdapters === null ? null : JSON.stringify(declaredAdapters)
}

/** The adapters that have not finalized one of the first terminating resources. */
function waitingFor({ requiredAdapters }: ComparisonQuery): Sql {
  const ofKind = sql`${[...requiredAdapters]}::text[]`
  return sql`(
        select coalesce(json_agg(adapter order by array_position(${ofKind}, adapter), adapter), '[]')
        from (
          select distinct required.adapter
          from (
            select terminating.id, required_adapters as declared
            from terminating join resources on resources.id = terminating.id
            limit ${MAX_LISTED}::integer) as waiting
          cross join lateral (
            select unnest(${ofKind}) where declared is null
            union select jsonb_array_elements_text(declared) where declared is not null
            union select adapter from adapter_statuses
              where resource_id = waiting.id and declared is not null) as required (adapter)
          where not exists (
            select 1 from adapter_statuses as report
            where report.resource_id = waiting.id and report.adapter = required.adapter
              and report.finalized)) as missing)`
}
