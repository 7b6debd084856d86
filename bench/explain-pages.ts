import type pg from 'pg'
import { cluster } from '../src/hyperfleet/kinds/cluster/kind.ts'
import { seedClusters } from './seed-clusters.ts'
import { startTemporaryDatabase } from './temporary-database.ts'
import { listByCreation } from '../src/store/resources/list/list-by-creation.ts'
import { followsPosition, type ListPosition } from '../src/store/resources/list/list-position.ts'
import { type OrderColumn, orderExpressions } from '../src/store/resources/list/list-order.ts'
import { listStatement } from '../src/store/resources/list/list-resources.ts'
import { scope } from '../src/store/resources/list/scope.ts'
import { type CapturedStatement, captureStatements } from './baselines/capture-statements.ts'
import sql from 'sql-template-tag'

const PLACE = { tenant: null, kind: cluster.kind, ownerId: null }
const PAGE = { limit: 21, columns: 'versions', counted: null } as const
const DEPTHS = [0, 0.5, 1]

interface Explained {
  readonly 'Execution Time': number
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }
}

/** Prints the cost of pages of 20 by number and by cursor, at the start, middle and end of `--rows N`. */
async function main(): Promise<void> {
  const rows = Number(process.argv[process.argv.indexOf('--rows') + 1] ?? 100_000)
  await using server = await startTemporaryDatabase()
  const client = await server.database.pool.connect()
  await seedClusters(client, rows)
  // Without a sequencer, the total would count the outbox.
  await client.query('truncate outbox')
  await client.query('select recount_resources()')
  console.log('| Order | Row | By number: buffers | ms | By cursor: buffers | ms |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  for (const column of ['created_time', 'updated_time', 'name', 'id'] as const) {
    for (const depth of DEPTHS) {
      const offset = Math.max(0, Math.floor(rows * depth) - 20)
      const byNumber = await explain(client, await pageByNumber(column, offset))
      const position = await positionAt(client, column, offset)
      const byCursor = await explain(client, pageByCursor(column, position))
      console.log(`| ${[column, offset, ...byNumber, ...byCursor].join(' | ')} |`)
    }
  }
  client.release()
}

function orderOf(column: OrderColumn) {
  return [column, 'id' as const].map((name) => ({ column: name, direction: 'asc' }) as const)
}

async function pageByNumber(column: OrderColumn, offset: number): Promise<CapturedStatement> {
  if (column !== 'created_time') {
    return listStatement({ ...PAGE, where: scope(PLACE), orderBy: orderOf(column), offset })
  }
  const page = { ...PLACE, direction: 'asc', limit: PAGE.limit, offset, after: null } as const
  const [statement] = await captureStatements((database) => listByCreation(database, page))
  if (!statement) throw new Error('the list sent no statement')
  return statement
}

function pageByCursor(column: OrderColumn, position: ListPosition): CapturedStatement {
  const orderBy = orderOf(column)
  const rest = followsPosition(orderBy, position, cluster.kind)
  return listStatement({ ...PAGE, where: sql`${scope(PLACE)} and ${rest}`, orderBy, offset: 0 })
}

/** The position before a row: the client of a cursor has it from the previous page. */
async function positionAt(
  client: pg.PoolClient,
  column: OrderColumn,
  offset: number,
): Promise<ListPosition> {
  const orderBy = orderOf(column)
  const statement = listStatement({
    ...PAGE,
    where: scope(PLACE),
    orderBy,
    limit: 1,
    offset,
  })
  const { rows } = await client.query<{ position: string }>(statement.text, statement.values)
  const values: ListPosition = JSON.parse(rows[0]?.position ?? '[]')
  return orderExpressions(orderBy).map(({ type }, at) => {
    const value = values[at] ?? null
    return type === 'timestamptz' && typeof value === 'string' ? new Date(value) : value
  })
}

/** The buffers and the milliseconds of the second execution, when the data is in memory. */
async function explain(
  client: pg.PoolClient,
  { text, values }: CapturedStatement,
): Promise<readonly (number | string)[]> {
  const statement = `explain (analyze, buffers, format json) ${text}`
  await client.query(statement, [...values])
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [Explained] }>(statement, [
    ...values,
  ])
  const [explained] = rows[0]?.['QUERY PLAN'] ?? []
  if (!explained) throw new Error('no plan')
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = explained.Plan
  return [hit + read, explained['Execution Time'].toFixed(2)]
}

await main()
