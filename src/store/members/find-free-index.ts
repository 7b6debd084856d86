import type { Database } from '../database/database.ts'

/** Names that are not members of the group count as taken, too. */
const FIND_FREE_INDEX = {
  name: 'find_free_index',
  text: `
    with taken as materialized (
      select substr(name, length($2::text) + 1)::integer as index from resources
      where tenant = $4::text and kind = $1::text and owner_id = '' and deleted_time is null
        and name >= $2::text || '0' and name < $2::text || ':'
        and substr(name, length($2::text) + 1) ~ '^([0-9]{4}|[1-9][0-9]{4,8})$'
    )
    select (
      select candidate.index
      from generate_series(0, (select count(*)::integer from taken)) as candidate (index)
      where not exists (select 1 from taken where taken.index = candidate.index)
      order by candidate.index limit 1
    ) as index, (
      select count(*)::integer from members join resources on resources.id = members.resource_id
      where members.group_uid = $3::text and resources.deleted_time is null
    ) as members`,
}

interface Names {
  readonly tenant: string
  readonly kind: string
  readonly prefix: string
  readonly groupUid: string
}

/** The lowest index that no resource of the tenant has in its name, and the number of members of the group. */
export async function findFreeIndex(
  database: Database,
  { tenant, kind, prefix, groupUid }: Names,
): Promise<{ readonly index: number; readonly members: number }> {
  const values = [kind, prefix, groupUid, tenant]
  const [row] = await database.execute<{ index: number; members: number }>(FIND_FREE_INDEX, values)
  return row ?? { index: 0, members: 0 }
}
