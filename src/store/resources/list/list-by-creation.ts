import type { Database, PreparedStatement } from '../../database/database.ts'
import type { ListPosition } from './list-position.ts'
import { type ListedPart, type ListRow, partOf } from './list-resources.ts'
import { REPORT_TIMES } from '../../status-records/report-times.ts'
import type { ListScope } from './scope.ts'

type Direction = 'asc' | 'desc'
/** The scope of the rows. In a tenant, $4 is the tenant and $5 the parent. */
type Limit = 'kind' | 'owner' | 'tenant' | 'tenant_owner'

const LIMITS: Record<Limit, string> = {
  kind: '',
  owner: 'and owner_id = $4::text',
  tenant: "and tenant = $4::text and tenant <> ''",
  tenant_owner: 'and tenant = $4::text and owner_id = $5::text',
}

/** The parameters of `resource_total`: the parent and the tenant. */
const TOTALS: Record<Limit, string> = {
  kind: 'null, null',
  owner: '$4::text, null',
  tenant: 'null, $4::text',
  tenant_owner: '$5::text, $4::text',
}

/**
 * From this offset on, rows are skipped in the index only; each row of the page costs a look-up.
 */
const DEEP_OFFSET = 1000

const READ = 'id, version, created_time'

/** The number of parameters before the position. */
const BEFORE_POSITION: Record<Limit, number> = { kind: 3, owner: 4, tenant: 4, tenant_owner: 5 }

/** Lists that an index answers for all values, so that they can be prepared. */
const STATEMENTS = {
  near: statements(near),
  deep: statements(deep),
  after: statements(after),
}

function statements(
  make: (limit: Limit, direction: Direction) => PreparedStatement,
): Record<Limit, Record<Direction, PreparedStatement>> {
  const both = (limit: Limit) => ({ asc: make(limit, 'asc'), desc: make(limit, 'desc') })
  return {
    kind: both('kind'),
    owner: both('owner'),
    tenant: both('tenant'),
    tenant_owner: both('tenant_owner'),
  }
}

function near(scope: Limit, direction: Direction): PreparedStatement {
  return statement(scope, direction, {
    suffix: '',
    rows: page(scope, direction, { columns: READ }),
  })
}

function deep(scope: Limit, direction: Direction): PreparedStatement {
  const rows = `
        select ${READ}
        from (${page(scope, direction, { columns: 'id' })}) as page join resources using (id)`
  return statement(scope, direction, { suffix: '_deep', rows })
}

function after(scope: Limit, direction: Direction): PreparedStatement {
  const [time, id] = [BEFORE_POSITION[scope] + 1, BEFORE_POSITION[scope] + 2]
  const operator = direction === 'asc' ? '>' : '<'
  const follows = `and (created_time, id) ${operator} ($${time}::timestamptz, $${id}::text)`
  return statement(scope, direction, {
    suffix: '_after',
    rows: page(scope, direction, { columns: READ, follows }),
  })
}

interface Selected {
  readonly columns: string
  /** The condition of rows after a position. */
  readonly follows?: string
}

function page(scope: Limit, direction: Direction, { columns, follows = '' }: Selected): string {
  return `
          select ${columns}
          from resources
          where kind = $1::text ${LIMITS[scope]} ${follows}
          order by ${order(direction)} limit $2::bigint offset $3::bigint`
}

interface Part {
  readonly suffix: string
  /** The query of the page's rows. */
  readonly rows: string
}

function statement(scope: Limit, direction: Direction, { suffix, rows }: Part): PreparedStatement {
  return {
    name: `list_${scope}_${direction}${suffix}`,
    text: `
      select id, version, ${REPORT_TIMES}, json_build_array(created_time, id)::text as position,
        (select resource_total(array[$1::text], ${TOTALS[scope]})) as total
      from (${rows}) as resources
      order by ${order(direction)}`,
  }
}

function order(direction: Direction): string {
  return `created_time ${direction}, id ${direction}`
}

export interface CreationList extends ListScope {
  readonly direction: Direction
  readonly limit: number
  readonly offset: number
  /** The position that the page follows, `[created_time, id]`; null for a page by its offset. */
  readonly after: ListPosition | null
}

/** Reads a page of a kind in the order of creation, the default order of lists. */
export async function listByCreation(
  database: Database,
  { tenant, kind, ownerId, direction, limit, offset, after: position }: CreationList,
): Promise<ListedPart> {
  const scope = limitOf({ tenant, kind, ownerId })
  const limits = [tenant, ownerId].filter((value) => value !== null)
  const values = [kind, limit, offset, ...limits, ...(position ?? [])]
  const depth = position !== null ? 'after' : offset < DEEP_OFFSET ? 'near' : 'deep'
  const rows = await database.execute<ListRow>(STATEMENTS[depth][scope][direction], values)
  return partOf(rows)
}

function limitOf({ tenant, ownerId }: ListScope): Limit {
  if (tenant === null) return ownerId === null ? 'kind' : 'owner'
  return ownerId === null ? 'tenant' : 'tenant_owner'
}
