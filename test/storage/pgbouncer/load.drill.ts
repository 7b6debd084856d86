import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Load, startLoad } from '../../drills/load/start-load.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from './pgbouncer.ts'

/** The connections of the pooler to PostgreSQL. */
const SESSIONS = 4

/** Settings that sessions have from `connect_query`, or that PgBouncer sets for its clients. */
const SETTINGS = {
  TimeZone: 'UTC',
  application_name: 'flotilla',
  jit: 'off',
  statement_timeout: '10000',
}

const SESSION_STATE = `
  select pg_backend_pid() as pid,
    array(select name from pg_prepared_statements) as statements,
    array(select name from pg_cursors where is_holdable) as cursors,
    array(select pg_listening_channels()) as channels,
    array(select objid::text from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())
      as locks,
    pg_my_temp_schema()::integer as temporary_schema,
    (select json_object_agg(name, setting) from pg_settings where source = 'session') as settings`

describe.skipIf(!hasPgbouncer || !serverNames().includes('second'))(
  'two servers on four connections of PgBouncer',
  () => {
    let database: TestDatabase
    let pooler: Pgbouncer
    let servers: readonly TestServer[] = []

    beforeAll(async () => {
      database = await createTestDatabase('second')
      pooler = await startPgbouncer({ databaseUrl: database.url })
      const env = {
        DATABASE_OPTIONS: 'prepared-statements=off',
        DATABASE_DIRECT_URL: database.url,
        HYPERFLEET_CLUSTER_ADAPTERS: '[]',
        WATCHES: 'heartbeat=1s',
      }
      const config = { verifyOpenapi: false }
      const { url: databaseUrl } = pooler
      servers = [
        await startTestServer({ databaseUrl, env: { ...env, ROLE: 'all' }, config }),
        await startTestServer({ databaseUrl, env, config }),
      ]
    })
    afterAll(async () => {
      for (const server of servers) await server[Symbol.asyncDispose]()
      await pooler[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    })

    /** Starts writers and watches that use both servers in turn. */
    function startClients(name: string): ReturnType<typeof startLoad> {
      let next = 0
      const origin = (): string => {
        next += 1
        return servers[next % servers.length]?.origin ?? ''
      }
      return startLoad({ origin, name, writers: 8, watches: 4, pauseMs: 2, silenceMs: 10_000 })
    }

    it('write and watch without loss, and leave no state in sessions', async () => {
      const load = await startClients('shared')
      await acknowledged(load, 100)
      await writeObjects(servers, 60)
      const { losses, eventProblems, events } = await load.finish()
      expect({ losses, eventProblems }).toEqual({ losses: [], eventProblems: [] })
      expect(events).toBeGreaterThan(50)
      for (const { settings, pid: _, ...state } of await sessionStates(pooler.url)) {
        expect(state).toEqual({
          statements: [],
          cursors: [],
          channels: [],
          locks: [],
          temporary_schema: 0,
        })
        expect(settings).toEqual({ ...settings, ...SETTINGS })
      }
    })

    it('lose no acknowledged write and no event while sessions and the pooler are replaced', async () => {
      await pooler.command('set server_lifetime = 1')
      const load = await startClients('killed')
      for (let kills = 0; kills < 2; kills += 1) {
        await acknowledged(load, 25)
        await pooler.kill()
        await sleep(300)
        await pooler.start()
      }
      const { losses, eventProblems } = await load.finish()
      expect({ losses, eventProblems }).toEqual({ losses: [], eventProblems: [] })
    })
  },
)

/** Waits for this number of further acknowledged writes. */
async function acknowledged({ ledger }: Load, count: number): Promise<void> {
  const until = ledger.attempts.acknowledged + count
  while (ledger.attempts.acknowledged < until) await sleep(20)
}

/** Writes ConfigMaps in the root plane from both servers together. */
async function writeObjects(servers: readonly TestServer[], count: number): Promise<void> {
  const path = '/clusters/root/control-plane/api/v1/namespaces/default/configmaps'
  const headers = { 'Content-Type': 'application/json' }
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const metadata = { name: `map-${number}` }
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
      const origin = servers[number % servers.length]?.origin
      return (await fetch(`${origin}${path}`, { method: 'POST', headers, body })).status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([201]))
}

/** The state of all sessions of the pooler, which open transactions keep busy at the same time. */
async function sessionStates(url: string): Promise<readonly SessionState[]> {
  const clients = Array.from(
    { length: SESSIONS },
    () => new pg.Client({ connectionString: url, application_name: 'flotilla' }),
  )
  const states = await Promise.all(
    clients.map(async (client) => {
      await client.connect()
      await client.query('begin')
      return (await client.query<SessionState>(SESSION_STATE)).rows
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  expect(new Set(states.flat().map(({ pid }) => pid)).size).toBe(SESSIONS)
  return states.flat()
}

interface SessionState {
  readonly pid: number
  readonly settings: Readonly<Record<string, string>>
}
