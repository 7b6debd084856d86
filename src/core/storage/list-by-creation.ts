import type { Database } from './database.ts'
import { listedOf, type ListedResource, type ListRow } from './list-resources.ts'
import { REPORT_TIMES } from './report-times.ts'

type Direction = 'asc' | 'desc'

/** The lists that an index answers whatever the values are, so that their plan can be kept. */
const STATEMENTS = {
  kind: { asc: statement('kind', 'asc'), desc: statement('kind', 'desc') },
  owner: { asc: statement('owner', 'asc'), desc: statement('owner', 'desc') },
} as const

function statement(scope: 'kind' | 'owner', direction: Direction) {
  const order = `created_time ${direction}, id ${direction}`
  return {
    name: `list_${scope}_${direction}`,
    text: `
      select id, version, ${REPORT_TIMES}
      from (
        select id, version, created_time
        from resources
        where kind = $1::text ${scope === 'owner' ? 'and owner_id = $4::text' : ''}
        order by ${order} limit $2::bigint offset $3::bigint
      ) as resources
      order by ${order}`,
  }
}

export interface CreationList {
  readonly kind: string
  /** Null for those of all parents. */
  readonly ownerId: string | null
  readonly direction: Direction
  readonly limit: number
  readonly offset: number
}

/** A part of the list of a kind in the order of creation: what a list is without parameters. */
export async function listByCreation(
  database: Database,
  { kind, ownerId, direction, limit, offset }: CreationList,
): Promise<readonly ListedResource[]> {
  const scope = ownerId === null ? 'kind' : 'owner'
  const values = [kind, limit, offset, ...(ownerId === null ? [] : [ownerId])]
  const rows = await database.execute<ListRow>(STATEMENTS[scope][direction], values)
  return rows.map(listedOf)
}
