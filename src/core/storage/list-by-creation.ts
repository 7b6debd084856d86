import type { Database } from './database.ts'
import { type ListedPart, type ListRow, partOf } from './list-resources.ts'
import { REPORT_TIMES } from './report-times.ts'

type Direction = 'asc' | 'desc'
type Scope = 'kind' | 'owner'

/** From here on, rows are skipped in the index alone, at the price of a look-up for each of the page. */
const DEEP = 1000

const READ = 'id, version, created_time'

/** The lists that an index answers whatever the values are, so that their plan can be kept. */
const STATEMENTS = {
  near: {
    kind: { asc: near('kind', 'asc'), desc: near('kind', 'desc') },
    owner: { asc: near('owner', 'asc'), desc: near('owner', 'desc') },
  },
  deep: {
    kind: { asc: deep('kind', 'asc'), desc: deep('kind', 'desc') },
    owner: { asc: deep('owner', 'asc'), desc: deep('owner', 'desc') },
  },
} as const

function near(scope: Scope, direction: Direction) {
  return statement(scope, direction, { suffix: '', rows: page(scope, direction, READ) })
}

function deep(scope: Scope, direction: Direction) {
  const rows = `
        select ${READ}
        from (${page(scope, direction, 'id')}) as page join resources using (id)`
  return statement(scope, direction, { suffix: '_deep', rows })
}

function page(scope: Scope, direction: Direction, columns: string): string {
  return `
          select ${columns}
          from resources
          where kind = $1::text ${scope === 'owner' ? 'and owner_id = $4::text' : ''}
          order by ${order(direction)} limit $2::bigint offset $3::bigint`
}

interface Part {
  readonly suffix: string
  /** The query of the page's rows. */
  readonly rows: string
}

function statement(scope: Scope, direction: Direction, { suffix, rows }: Part) {
  const owner = scope === 'owner' ? '$4::text' : 'null'
  return {
    name: `list_${scope}_${direction}${suffix}`,
    text: `
      select id, version, ${REPORT_TIMES},
        (select resource_total(array[$1::text], ${owner}, null)) as total
      from (${rows}) as resources
      order by ${order(direction)}`,
  }
}

function order(direction: Direction): string {
  return `created_time ${direction}, id ${direction}`
}

export interface CreationList {
  readonly kind: string
  /** Null for those of all parents. */
  readonly ownerId: string | null
  readonly direction: Direction
  readonly limit: number
  readonly offset: number
}

/** A part of the list of a kind in the order of creation: the default of lists. */
export async function listByCreation(
  database: Database,
  { kind, ownerId, direction, limit, offset }: CreationList,
): Promise<ListedPart> {
  const scope = ownerId === null ? 'kind' : 'owner'
  const values = [kind, limit, offset, ...(ownerId === null ? [] : [ownerId])]
  const depth = offset < DEEP ? 'near' : 'deep'
  const rows = await database.execute<ListRow>(STATEMENTS[depth][scope][direction], values)
  return partOf(rows)
}
