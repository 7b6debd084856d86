import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer } from '../../support/test-server.ts'
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from './pgbouncer.ts'

const isAvailable = hasPgbouncer && serverNames().includes('second')

let database: TestDatabase

beforeAll(async () => {
  if (isAvailable) database = await createTestDatabase('second')
})
afterAll(async () => {
  if (isAvailable) await database[Symbol.asyncDispose]()
})

/** Starts a server on the pooler, and stops it. Returns the message of the failure, or null. */
async function failureOf(pooler: Pgbouncer, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    await using _ = await startTestServer({ databaseUrl: pooler.url, env })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const THROUGH_POOLER = { DATABASE_OPTIONS: 'prepared-statements=off' }

describe.skipIf(!isAvailable)('a server on PgBouncer in transaction mode', () => {
  it('starts with DATABASE_DIRECT_URL, without prepared statements', async () => {
    await using pooler = await startPgbouncer({
      databaseUrl: database.url,
    })
    const env = { ...THROUGH_POOLER, DATABASE_DIRECT_URL: database.url }
    await using server = await startTestServer({ databaseUrl: pooler.url, env })
    const { status, body } = await server.post('/clusters', {
      kind: 'Cluster',
      name: 'pooled',
      spec: {},
    })
    expect(status).toBe(201)
    expect((await server.get(`/clusters/${body.id}`)).body).toEqual(body)
  })

  it('requires DATABASE_OPTIONS=prepared-statements=off, because startup parameters are rejected', async () => {
    await using pooler = await startPgbouncer({ databaseUrl: database.url })
    const failure = await failureOf(pooler, { DATABASE_DIRECT_URL: database.url })
    expect(failure).toContain('set DATABASE_OPTIONS=prepared-statements=off')
  })

  it('requires DATABASE_OPTIONS=prepared-statements=off, because prepared statements are lost', async () => {
    await using pooler = await startPgbouncer({
      databaseUrl: database.url,
      settings: ['ignore_startup_parameters = options,statement_timeout'],
    })
    const failure = await failureOf(pooler, { DATABASE_DIRECT_URL: database.url })
    expect(failure).toBe(
      'DATABASE_URL is a pooler that does not support prepared statements: set DATABASE_OPTIONS=prepared-statements=off',
    )
  })

  it('requires DATABASE_DIRECT_URL', async () => {
    await using pooler = await startPgbouncer({
      databaseUrl: database.url,
    })
    expect(await failureOf(pooler, THROUGH_POOLER)).toBe(
      'DATABASE_URL is a pooler in transaction mode: set DATABASE_DIRECT_URL to the URL of PostgreSQL itself',
    )
    const env = { ...THROUGH_POOLER, DATABASE_DIRECT_URL: `${pooler.url}&application_name=direct` }
    expect(await failureOf(pooler, env)).toContain('DATABASE_DIRECT_URL is a pooler')
  })

  it('rejects a DATABASE_DIRECT_URL of another database', async () => {
    await using pooler = await startPgbouncer({
      databaseUrl: database.url,
    })
    await using other = await createTestDatabase('second')
    const env = { ...THROUGH_POOLER, DATABASE_DIRECT_URL: other.url }
    expect(await failureOf(pooler, env)).toBe(
      'DATABASE_DIRECT_URL: this is another database than that of DATABASE_URL',
    )
  })

  it('names the commands that give sessions their settings', async () => {
    await using pooler = await startPgbouncer({
      databaseUrl: database.url,
      sessions: 'unconfigured',
    })
    const env = { ...THROUGH_POOLER, DATABASE_DIRECT_URL: database.url }
    const failure = must(await failureOf(pooler, env), 'a failure')
    expect(failure).toContain('jit is on, statement_timeout is 0ms in the sessions of the pooler')
    const commands = must(/run: (.*;) Then/.exec(failure)?.[1], 'commands')
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    await admin.query(commands)
    await admin.end()
    await pooler.command('RECONNECT')
    expect(await failureOf(pooler, env)).toBeNull()
  })
})
