import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../../src/lib/listen.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startProgram } from './program.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** Starts a server that must end at its first failure. Returns its exit code and standard error. */
async function failure(env: NodeJS.ProcessEnv): Promise<string> {
  await using program = startProgram({ DATABASE_URL: database.url, ...env })
  const code = await program.exited
  expect(program.output()).not.toContain('starts again')
  return `${code}: ${program.errors()}`
}

it('names the remedy if it cannot listen', async () => {
  const [foreign, unknown] = await Promise.all([
    failure({ HOST: '192.0.2.1', AUTH_DISABLED: 'true' }),
    failure({ HOST: 'host.invalid', AUTH_DISABLED: 'true' }),
  ])
  expect(foreign).toMatch(/^1: .*192\.0\.2\.1: set HOST to an address of this machine\n$/)
  expect(unknown).toMatch(/^1: .*host\.invalid: set HOST to an address of this machine\n$/)
})

it.each(['PORT', 'HEALTH_PORT', 'METRICS_PORT'])(
  'names %s if its port is in use, and does not touch the database',
  async (setting) => {
    await using empty = await createTestDatabase('embedded', { template: null })
    const other = createServer()
    const port = String(await listen(other, 0, '127.0.0.1'))
    const output = await failure({ DATABASE_URL: empty.url, [setting]: port })
    other.close()
    expect(output).toBe(
      `1: listen EADDRINUSE: address already in use 127.0.0.1:${port}: ` +
        `set ${setting} to a free port, or to 0\n`,
    )
    expect(await tablesOf(empty)).toEqual([])
  },
)

async function tablesOf({ url }: TestDatabase): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select table_name from information_schema.tables where table_schema = 'public'`,
  )
  await client.end()
  return rows
}

it('names the remedy if the database is read-only, like a standby', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    do $$ begin
      execute format('alter database %I set default_transaction_read_only = on', current_database());
    end $$`)
  await client.end()
  expect(await failure({})).toMatch(
    /^1: the database cannot be migrated: .* must lead to the primary, not to a standby\n$/,
  )
})
