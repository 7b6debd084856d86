import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { memberEntries, entryColumns, type MemberQuery } from './member-entries.ts'
import type { MemberEntry } from './member-entry.ts'

/** A page of members in desired order. */
export interface MemberPageQuery extends MemberQuery {
  readonly phase: MemberEntry<Date>['phase'] | null
  /** The last entry of the page before; null for the first page. */
  readonly after: Pick<MemberEntry<Date>, 'index' | 'name'> | null
  readonly limit: number
}

export interface MemberPage {
  readonly entries: readonly MemberEntry<Date>[]
  /** The number of matching entries after the page. */
  readonly remaining: number
  /** The revision of the log in the same snapshot. */
  readonly revision: bigint
}

type Row = { readonly head_revision: bigint; readonly remaining: number | null } & (
  | MemberEntry<Date>
  | { readonly name: null }
)

/** The position of entries with other names than the wanted ones. */
const LAST = 2_147_483_647

/** Reads a page of the members of a group. The plan depends on the number of members. */
export async function listMembers(database: Database, query: MemberPageQuery): Promise<MemberPage> {
  const { phase, after, limit } = query
  const statement = sql`
    with ${memberEntries(query)}, page as materialized (
      select entry.*, count(*) over ()::integer as matching from entry
      where (${phase}::text is null or entry.phase = ${phase}::text)
        and (${after === null} or (coalesce(entry.index, ${LAST}::integer), entry.name)
          > (${after?.index ?? LAST}::integer, ${after?.name ?? ''}::text collate "C"))
      order by entry.index, entry.name limit ${limit}::integer
    )
    select head.revision as head_revision, listed.*
    from head left join (
      select entry.matching - ${limit}::integer as remaining, ${entryColumns(query)}
      from page as entry left join resources on resources.id = entry.id
    ) as listed on true
    order by listed.index, listed.name`
  const rows = await database.query<Row>('list_members', statement)
  return {
    entries: rows.filter(isEntry),
    remaining: Math.max(rows[0]?.remaining ?? 0, 0),
    revision: rows[0]?.head_revision ?? 0n,
  }
}

function isEntry(row: Row): row is Row & MemberEntry<Date> {
  return row.name !== null
}
