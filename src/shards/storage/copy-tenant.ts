import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Table } from '../../store/tables/table.ts'
import { newlinesIn } from '../../lib/text/newlines-in.ts'
import { arrivePlanes } from './arrive-planes.ts'
import { supersededAttempt } from './move-error.ts'
import { openMoveClient } from './open-move-client.ts'
import type { Attempt } from './tenant-states.ts'
import { planesOfTenant } from './planes-of-tenant.ts'
import { type TenantTable, tenantTables } from './tenant-tables.ts'

const COLUMNS = `
  select attname::text as name from pg_attribute
  where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''
  order by attname`

const BEGIN_ARRIVAL = `
  select set_config('flotilla.moves_tenant', 'true', true), pg_advisory_xact_lock_shared(7305188024)`

/** Its rows are complete. The target serves them once the directory has the tenant there. */
const COMPLETE_ARRIVAL = `
  with raised as (update shard set revision = revision + 1 returning revision)
  update tenant_states set state = 'arrived', revision = raised.revision, changed_time = now()
  from raised where tenant = $1::text and attempt = $2::bigint and state = 'arriving'
  returning tenant`

/** Newer than the version of the removal in the source, so that consumers of both order them. */
const VERSIONS_BETWEEN = 2

export interface MoveDatabases {
  /** The URL of the database that the tenant leaves. */
  readonly source: string
  /** The URL of the database that receives it. */
  readonly target: string
  /** The schema of both. */
  readonly tables: readonly Table[]
}

/** Receives the progress of a copy: a table and the number of its rows. */
export type OnTable = (table: string, rows: number) => void

/**
 * Copies all rows of a frozen tenant, and marks it as arrived, in one transaction of the target. Reads
 * each table again from the target, and fails unless its bytes are those of the source.
 */
export async function copyTenant(
  { source, target, tables }: MoveDatabases,
  { tenant, attempt }: Attempt,
  onTable: OnTable,
): Promise<void> {
  await using from = await openMoveClient(source, tenant)
  await using to = await openMoveClient(target, tenant)
  await from.query('begin isolation level repeatable read read only')
  await to.query('begin')
  await to.query(BEGIN_ARRIVAL)
  for (const table of tenantTables(tables)) {
    const sent = await copyTable({ from, to }, table, tenant)
    const found = await digestOf(rowsOf(to, await textOf(to, { table, tenant, versionsAhead: 0 })))
    if (sent.digest !== found.digest) {
      throw new Error(
        `the copy of ${table.table} differs from the source: it has ${found.rows} of ${sent.rows} rows`,
      )
    }
    onTable(table.table, sent.rows)
  }
  await arrivePlanes(to, tenant)
  for (const { onArrival } of tenantTables(tables)) {
    if (onArrival !== undefined) await to.query(onArrival, [tenant])
  }
  const arrived = await to.query(COMPLETE_ARRIVAL, [tenant, attempt])
  if (arrived.rowCount !== 1) throw supersededAttempt()
  await to.query('commit')
  await from.query('commit')
}

interface Digest {
  readonly digest: string
  readonly rows: number
}

async function copyTable(
  { from, to }: { from: pg.Client; to: pg.Client },
  table: TenantTable,
  tenant: string,
): Promise<Digest> {
  const text = await textOf(from, { table, tenant, versionsAhead: VERSIONS_BETWEEN })
  if (table.table === 'planes') await dropRemovedPlanes({ from, to }, tenant)
  const list = await columnListOf(to, table)
  const branch = new PassThrough()
  const [digest] = await Promise.all([
    digestOf(branch),
    pipeline(
      rowsOf(from, text),
      async function* copied(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          if (!branch.write(chunk)) await new Promise((resolve) => branch.once('drain', resolve))
          yield chunk
        }
        branch.end()
      },
      to.query(copyFrom(`copy ${pg.escapeIdentifier(table.table)} (${list}) from stdin`)),
    ),
  ])
  return digest
}

/** The rows of planes that an earlier departure has left. */
async function dropRemovedPlanes(
  { from, to }: { from: pg.Client; to: pg.Client },
  tenant: string,
): Promise<void> {
  const { rows } = await from.query<{ plane: string }>(
    `select plane from planes where plane in (${planesOfTenant(tenant)})`,
  )
  await to.query('delete from planes where plane = any($1::text[]) and removed_time is not null', [
    rows.map(({ plane }) => plane),
  ])
}

/** The columns of a table as SQL. */
export async function columnListOf(
  client: pg.Client,
  table: Pick<TenantTable, 'table'>,
): Promise<string> {
  return (await columnsOf(client, table)).map((name) => pg.escapeIdentifier(name)).join(', ')
}

async function columnsOf(
  client: pg.Client,
  { table }: Pick<TenantTable, 'table'>,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(COLUMNS, [table])
  return rows.map(({ name }) => name)
}

interface Selection {
  readonly table: TenantTable
  readonly tenant: string
  readonly versionsAhead: number
}

/** A statement that reads the rows of a tenant in the order of their keys. COPY takes no parameters. */
async function textOf(
  client: pg.Client,
  { table, tenant, versionsAhead }: Selection,
): Promise<string> {
  const columns = (await columnsOf(client, table)).map((name) => {
    const column = pg.escapeIdentifier(name)
    return table.table === 'resources' && name === 'version' && versionsAhead > 0
      ? `${column} + ${versionsAhead}`
      : column
  })
  return `copy (select ${columns.join(', ')} from ${pg.escapeIdentifier(table.table)}
    where ${tenantCondition(table, tenant)} order by ${table.key.join(', ')}) to stdout`
}

/** The condition for the rows of a tenant. */
export function tenantCondition({ column }: Pick<TenantTable, 'column'>, tenant: string): string {
  if (column === 'plane') return `plane in (${planesOfTenant(tenant)})`
  const literal = pg.escapeLiteral(tenant)
  return column === 'tenant'
    ? `tenant = ${literal}`
    : `${column} in (select id from resources where tenant = ${literal})`
}

function rowsOf(client: pg.Client, text: string): Readable {
  return client.query(copyTo(text))
}

async function digestOf(stream: AsyncIterable<Buffer>): Promise<Digest> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    rows += newlinesIn(chunk)
  }
  return { digest: hash.digest('hex'), rows }
}
