import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { must } from '../../src/lib/assert.ts'

/** The migrated database that test databases are copies of. */
export const TEMPLATE = 'flotilla_template'

/** All names of test databases begin with it. */
export const DATABASE_PREFIX = 'test_'

/** A database of one's own; disposing it drops it. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

/** The servers that the tests can use, by name. */
export function serverNames(): readonly string[] {
  return Object.keys(servers())
}

function servers(): Readonly<Record<string, string>> {
  // Only the integration project provides them.
  const provided: Readonly<Record<string, string>> | undefined = inject('servers')
  if (provided !== undefined) return provided
  throw new Error('unit tests have no database: move the file to a folder of test/')
}

/** Copies the template. Null makes an empty database without the schema. */
export async function createTestDatabase(
  server = 'embedded',
  { template = TEMPLATE }: { readonly template?: string | null } = {},
): Promise<TestDatabase> {
  const name = `${DATABASE_PREFIX}${randomBytes(6).toString('hex')}`
  const admin = servers()[server]
  if (admin === undefined) throw new Error(`no server '${server}'`)
  await administer(
    admin,
    `create database ${name}${template === null ? '' : ` template ${template} strategy file_copy`}`,
  )
  return {
    name,
    url: urlOf(admin, name),
    [Symbol.asyncDispose]: () => administer(admin, `drop database ${name} with (force)`),
  }
}

/** A database that several tests copy, by its name as their template. */
export async function createPreparedDatabase(
  server: string,
  template: string | null,
  prepare: (url: string) => Promise<unknown>,
): Promise<TestDatabase> {
  const database = await createTestDatabase(server, { template })
  await prepare(database.url)
  // A copy fails while a session is ending.
  await administer(
    must(servers()[server], server),
    `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${database.name}'`,
  )
  return database
}

/** The URL of another database on the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** The sessions that create and drop databases, by server, for all files of a worker. */
const administrators = new Map<string, pg.Pool>()

async function administer(url: string, statement: string): Promise<void> {
  const pool = administrators.get(url) ?? createSessions(url)
  administrators.set(url, pool)
  await pool.query(statement)
}

/** Sessions that stay open between statements, because a new one costs 9 ms of processor time. */
export function createSessions(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true })
  // Its server or database may end first; the pool forgets the session.
  pool.on('error', () => undefined)
  return pool
}
