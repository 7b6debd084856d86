import { setTimeout as sleep } from 'node:timers/promises'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/cmd/settings.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { startProgram } from '../process/program.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const NEW = { HYPERFLEET_CLUSTER_ADAPTERS: '["validator","network"]' }
const STRICT = { ...NEW, STRICT_CONFIGURATION: 'true' }
const { outgoingWebhookRetries } = readConfig(kinds, {})

// A dead server's row expires after 15 s, which a slow machine can stretch.
vi.setConfig({ testTimeout: 120_000 })

const database = await createTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())

const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const server of started.splice(0).toReversed()) await server[Symbol.asyncDispose]()
})

/** A server of the shared database, and its warnings and messages. */
async function start(env: NodeJS.ProcessEnv = {}) {
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const server = await startTestServer({
    env,
    // Servers compare it, and programs have the default.
    config: { outgoingWebhookRetries },
    databaseUrl: database.url,
    log: pino({ level: 'info' }, sink),
  })
  started.push(server)
  const logged = (message: string) =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes(message))
  return { server, logged }
}

async function readinessOf({ healthOrigin }: TestServer) {
  const answer = await fetch(`${healthOrigin}/readyz`)
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

async function mismatchesOf({ metricsOrigin }: TestServer): Promise<number> {
  const text = await (await fetch(`${metricsOrigin}/metrics`)).text()
  return Number(/^flotilla_configuration_mismatch (\d+)$/m.exec(text)?.[1])
}

/** Waits for a heartbeat after which the condition holds. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100)
}

describe('servers with the same configuration', () => {
  test('are ready, and report nothing', async () => {
    const one = await start(NEW)
    const two = await start(STRICT)
    await until(async () => (await seenTimesOf(one.server)).every(({ beaten }) => beaten))
    for (const { server, logged } of [one, two]) {
      expect(await readinessOf(server)).toMatchObject({
        status: 200,
        body: { checks: { configuration: 'ok' } },
      })
      expect(await mismatchesOf(server)).toBe(0)
      expect(logged('differ')).toEqual([])
    }
  })

  function seenTimesOf(server: TestServer) {
    return queryDatabase(
      server,
      'select seen_time > started_time + interval $$1 s$$ as beaten from servers',
    )
  }
})

describe('servers with different configurations', () => {
  test('both warn in log and metric, name the different field, and stay ready', async () => {
    const older = await start()
    const newer = await start(NEW)
    await until(async () => (await mismatchesOf(older.server)) === 1)
    expect(await mismatchesOf(newer.server)).toBe(1)
    for (const [{ server, logged }, isOlder] of [
      [older, false],
      [newer, true],
    ] as const) {
      expect(await readinessOf(server)).toMatchObject({
        status: 200,
        body: { checks: { configuration: 'other servers differ in Cluster.required_adapters' } },
      })
      const [warning, ...more] = logged('differ in Cluster.required_adapters')
      expect(more).toEqual([])
      expect(warning).toMatchObject({
        level: 40,
        servers: [{ is_older: isOlder, differences: [{ member: 'Cluster.required_adapters' }] }],
      })
    }
    expect(newer.logged('differ')[0].servers[0].differences[0]).toMatchObject({
      here: ['network', 'validator'],
      there: ['dns', 'hypershift', 'pullsecret', 'validator'],
    })
    await started.shift()?.[Symbol.asyncDispose]()
    await until(async () => (await mismatchesOf(newer.server)) === 0)
    expect(newer.logged('have the same configuration')).toHaveLength(1)
  })
})

describe('a newer server with STRICT_CONFIGURATION', () => {
  const REASON = 'waiting for older servers to stop: they differ in Cluster.required_adapters'
  const REFUSED = { status: 503, body: { checks: { configuration: REASON } } }

  test('is not ready until the older one stops; the older one is', async () => {
    const older = await start({ STRICT_CONFIGURATION: 'true' })
    const { server } = await start(STRICT)
    expect(await readinessOf(server)).toMatchObject(REFUSED)
    await until(async () => (await mismatchesOf(older.server)) === 1)
    expect((await readinessOf(older.server)).status).toBe(200)
    expect((await fetch(`${server.healthOrigin}/healthz`)).status).toBe(200)
    await started.shift()?.[Symbol.asyncDispose]()
    await until(async () => (await readinessOf(server)).status === 200)
  })

  test('becomes ready after a crash of the older one, when its row expires', async () => {
    const older = startProgram({ DATABASE_URL: database.url })
    await older.ready()
    const { server } = await start(STRICT)
    expect(await readinessOf(server)).toMatchObject(REFUSED)
    older.kill('SIGKILL')
    await older.exited
    expect((await readinessOf(server)).status).toBe(503)
    await until(async () => (await readinessOf(server)).status === 200)
    expect(await queryDatabase(server, 'select 1 from servers')).toHaveLength(1)
  })

  test('stays ready if an older one returns after its row expired', async () => {
    const { server } = await start(STRICT)
    const row = { Cluster: { required_adapters: ['dns'] } }
    await queryDatabase(
      server,
      `insert into servers (id, host, started_time, seen_time, fingerprint, configuration)
       values ('old', 'there', clock_timestamp() - interval '1 day', clock_timestamp(), 'x', $1)`,
      [JSON.stringify(row)],
    )
    await until(async () => (await mismatchesOf(server)) === 1)
    expect((await readinessOf(server)).status).toBe(200)
    await queryDatabase(server, `delete from servers where id = 'old'`)
  })
})

describe('the row of a server', () => {
  test('is written again with the same start time if it is lost', async () => {
    const { server } = await start()
    const rows = () =>
      queryDatabase(server, 'select id, started_time::text as started from servers')
    const before = await rows()
    expect(before).toHaveLength(1)
    await queryDatabase(server, 'truncate servers')
    await until(async () => (await rows()).length === 1)
    expect(await rows()).toEqual(before)
  })

  test('is removed when the server stops', async () => {
    const { server } = await start()
    const other = await start()
    await started.pop()?.[Symbol.asyncDispose]()
    expect(other.logged('failed')).toEqual([])
    expect(await queryDatabase(server, 'select 1 from servers')).toHaveLength(1)
  })

  test('is written when the database accepts writes, until which a strict server is not ready', async () => {
    const other = await start()
    await queryDatabase(other.server, 'alter table servers rename to servers_away')
    const { server, logged } = await start({ STRICT_CONFIGURATION: 'true' })
    expect(await readinessOf(server)).toMatchObject({
      status: 503,
      body: {
        checks: { configuration: 'waiting for a first comparison with the other servers' },
      },
    })
    expect(logged('the heartbeat of this server failed')).toHaveLength(1)
    expect((await server.get('/clusters')).status).toBe(200)
    await queryDatabase(server, 'alter table servers_away rename to servers')
    await until(async () => (await readinessOf(server)).status === 200)
  })
})
