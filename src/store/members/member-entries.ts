import sql, { raw, type Sql } from 'sql-template-tag'
import { groupLabel, type GroupSelection } from './member-group.ts'

/** The names of the members of a group. */
export type MemberNaming =
  | {
      readonly type: 'prefix'
      /** Names are the prefix and an index of at least four digits. */
      readonly prefix: string
      readonly replicas: number
      /** Unclaimed members in addition to the claimed ones. */
      readonly minReady: number
      /** Claims never raise the number of wanted members beyond it. */
      readonly maxWanted: number
    }
  | { readonly type: 'names'; readonly names: readonly string[] }
  /** No members are wanted: the group is being deleted. */
  | { readonly type: 'none' }

/** How a group selects and names its members. */
export interface MemberQuery {
  readonly group: GroupSelection
  readonly naming: MemberNaming
  /** Whether members are ready only with the condition Ready. */
  readonly requiresReady: boolean
  /** The key of the annotation of members that are removed before others. */
  readonly removeFirst: string
}

/** The condition type that `requiresReady` reads. */
const READY = 'Ready'

/**
 * The common table expressions of a group's members:
 *
 * - `row_of_group`: all rows of the group, with the state of their resources
 * - `member`: its members; `index` is the position in desired order, null for other names
 * - `size`: the number of members and of wanted ones
 * - `slot`: the wanted names without a member, and the resources that have these names
 * - `entry`: members and slots
 *
 * Counts decide: slots exist only while members are missing, and begin at the lowest free index.
 */
export function memberEntries(query: MemberQuery): Sql {
  const { group, naming, requiresReady, removeFirst } = query
  const label = sql`${groupLabel(group)}::jsonb`
  const ready = requiresReady ? sql`resources.cond ->> ${READY} = 'True'` : sql`true`
  return sql`
    wished as materialized (${wished(naming)}), row_of_group as materialized (
      select resources.id, resources.name, ${indexOf(naming)} as index, members.state,
        members.template, members.holder, members.claim_id, members.claimed_time,
        members.expires_time, members.first_claimed_time, members.transition_time,
        resources.required_adapters, resources.deleted_time is not null as is_terminating, resources.labels @> ${label} as is_labelled,
        members.state <> 'Recycling' and ${ready} as is_ready,
        resources.annotations ? ${removeFirst}::text as is_first
      from members join resources on resources.id = members.resource_id
      ${joinOf(naming)}
      where members.group_uid = ${group.uid}::text and resources.kind = ${group.kind}::text
    ), member as materialized (
      select * from row_of_group where not is_terminating and is_labelled
    ), size as materialized (
      select total, claimed, ${wantedOf(naming)} as wanted
      from (select count(*)::integer as total,
        count(*) filter (where state = 'Claimed')::integer as claimed from member) as counted
    ), free as materialized (${freeOf(naming)}
    ), slot as materialized (
      select free.index, free.name, named.id, named.created_time, named.labels @> ${label} as is_orphan
      from free left join resources as named on named.tenant = ${group.tenant}::text and named.kind = ${group.kind}::text
        and named.owner_id = '' and named.name = free.name and named.deleted_time is null
    ), entry as (
      select index, name, id, case when is_ready then 'Ready' else 'Pending' end as phase, state,
        holder, claim_id, claimed_time, expires_time, transition_time
      from member
      union all
      select index, name, case when is_orphan then id end,
        case when id is null or is_orphan then 'Pending' else 'Failed' end, null, null, null, null,
        null, case when not is_orphan then created_time end
      from slot
    )`
}

/**
 * The select list of an entry for a page of entries, from `entry left join resources on
 * resources.id = entry.id`. Members that require Ready changed their phase with the condition.
 */
export function entryColumns({ requiresReady }: Pick<MemberQuery, 'requiresReady'>): Sql {
  const changed = requiresReady
    ? sql`greatest(entry.transition_time, (
        select (condition ->> 'last_transition_time')::timestamptz
        from json_array_elements(resources.conditions) as condition
        where condition ->> 'type' = ${READY}))`
    : sql`entry.transition_time`
  return sql`entry.index, entry.name, entry.id, entry.phase, entry.state, entry.holder,
    entry.claim_id, entry.claimed_time, entry.expires_time, ${changed} as transition_time`
}

function wished(naming: MemberNaming): Sql {
  const names = naming.type === 'names' ? naming.names : []
  return sql`
      select name, (position - 1)::integer as index
      from unnest(${names}::text[]) with ordinality as named (name, position)`
}

function joinOf({ type }: MemberNaming): Sql {
  return type === 'names' ? sql`left join wished on wished.name = resources.name` : sql``
}

function indexOf(naming: MemberNaming): Sql {
  switch (naming.type) {
    case 'prefix': {
      const digits = sql`substr(resources.name, ${naming.prefix.length + 1}::integer)`
      return sql`case when starts_with(resources.name, ${naming.prefix}::text)
          and ${digits} ~ '^([0-9]{4}|[1-9][0-9]{4,8})$' then ${digits}::integer end`
    }
    case 'names':
      return raw('wished.index')
    case 'none':
      return raw('null::integer')
  }
}

function wantedOf(naming: MemberNaming): Sql {
  switch (naming.type) {
    case 'prefix':
      return sql`greatest(${naming.replicas}::integer,
        least(claimed + ${naming.minReady}::integer, ${naming.maxWanted}::integer))`
    case 'names':
      return sql`${naming.names.length}::integer`
    case 'none':
      return raw('0')
  }
}

/** The first `wanted` indexes always include as many free ones as members are missing. */
function freeOf(naming: MemberNaming): Sql {
  switch (naming.type) {
    case 'prefix':
      return sql`
      select candidate.index, (${naming.prefix}::text || lpad(candidate.index::text,
        greatest(4, length(candidate.index::text)), '0')) collate "C" as name
      from size cross join generate_series(0,
        case when wanted > total then wanted - 1 else -1 end) as candidate (index)
      where candidate.index not in (select index from member where index is not null)
      order by candidate.index limit (select greatest(wanted - total, 0) from size)`
    case 'names':
      return sql`
      select wished.index, wished.name from wished
      where wished.name not in (select name from member)`
    case 'none':
      return sql`select null::integer as index, null::text as name where false`
  }
}
