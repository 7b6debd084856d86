import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** The migrated database that test databases are copies of. */
export const TEMPLATE = 'flotilla_template'

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
  const name = `test_${randomBytes(6).toString('hex')}`
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

/** The URL of another database on the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
