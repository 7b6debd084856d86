import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FlotillaError } from '../../../src/lib/errors.ts'
import { createSemaphore } from '../../../src/lib/async/semaphore.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { type Replicas, startReplicas } from '../../../src/store/replicas/replicas.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer } from '../../support/test-server.ts'
import { startDebianPostgres } from '../debian-postgres.ts'
import { type StreamingReplica, startStreamingReplica } from './streaming-replica.ts'

const primary = await startDebianPostgres()
/** A read finds all connections in use if another one is running. */
const FEW_CONNECTIONS = { poolSize: 1, connectTimeoutMs: 1000 }
const ANY = { epoch: null, revision: 0n }

type Options = Parameters<typeof startReplicas>[0]

/** One replica, which stays in use while a busy machine delays its probes. */
function openReplica(
  options: Pick<Options, 'primary'> & Partial<Options> & { readonly replica: Database },
): Replicas {
  const { replica, ...rest } = options
  return startReplicas({
    replicas: new Map([['replica', replica]]),
    maxLagSeconds: 3600,
    servesStale: true,
    searches: createSemaphore(1, 0),
    probeTimeoutMs: 60_000,
    onRead: () => undefined,
    onChange: () => undefined,
    ...rest,
  })
}

describe.skipIf(primary === null)('a read on a replica', () => {
  const { url, stop } = primary ?? { url: '', stop: () => Promise.resolve() }
  let replica: StreamingReplica
  let database: Database
  let replicas: Replicas
  let other: TestDatabase
  const outcomes: string[] = []
  const problems: (string | null)[] = []

  beforeAll(async () => {
    await using _ = await startTestServer({ databaseUrl: url })
    replica = await startStreamingReplica(url)
    await replica.run("alter system set max_standby_streaming_delay = '0'")
    await replica.run('select pg_reload_conf()')
    database = openTestDatabase(url)
    other = await createTestDatabase()
    replicas = openReplica({
      primary: database,
      replica: openTestDatabase(replica.url),
      onRead: (_name, outcome) => outcomes.push(outcome),
      onChange: (_name, problem) => problems.push(problem),
    })
  })
  beforeEach(async () => {
    while (replicas.states()[0]?.isUp !== true) await sleep(20)
  })
  afterAll(async () => {
    await replicas[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await replica[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
    await stop()
  })

  it('that conflicts with recovery is left to the primary, and the replica stays in use', async () => {
    const touch = sql`select id from resources limit 1`
    const start = problems.length
    const idle = await replicas.read(ANY, async (snapshot) => {
      await snapshot.query('touch', touch)
      await lockResources(url)
      await snapshotEnds(replica.url)
      return snapshot.query('touch', touch)
    })
    const running = await replicas.read(ANY, async (snapshot) => {
      await snapshot.query('touch', touch)
      const sleeping = snapshot.query('sleep', sql`select pg_sleep(9)`)
      const [rows] = await Promise.all([sleeping, lockResources(url)])
      return rows
    })
    expect([idle, running]).toEqual([null, null])
    expect(outcomes.slice(-2)).toEqual(['failed', 'failed'])
    expect(problems.slice(start)).toEqual([])
    expect(replicas.states()[0]?.isUp).toBe(true)
    const read = await replicas.read(ANY, (snapshot) => snapshot.query('one', sql`select 1 as one`))
    expect(read?.value).toEqual([{ one: 1 }])
  })

  it('that finds no free connection is left to the primary, and the replica stays in use', async () => {
    const reported: (string | null)[] = []
    await using busy = openReplica({
      primary: database,
      replica: openTestDatabase(replica.url, undefined, FEW_CONNECTIONS),
      onChange: (_name, problem) => reported.push(problem),
    })
    await expect.poll(() => busy.states()[0]?.isUp).toBe(true)
    const start = reported.length
    const one = sql`select 1 as one`
    const seconds: unknown[] = []
    // A probe can have the only connection.
    await expect
      .poll(() =>
        busy.read(ANY, async (snapshot) => {
          seconds.push(await busy.read(ANY, (second) => second.query('one', one)))
          return snapshot.query('one', one)
        }),
      )
      .toMatchObject({ value: [{ one: 1 }] })
    expect(new Set(seconds)).toEqual(new Set([null]))
    expect(reported.slice(start)).toEqual([])
    expect(busy.states()[0]?.isUp).toBe(true)
  })

  it('sees one snapshot, and cannot write', async () => {
    const read = await replicas.read(ANY, async (snapshot) => {
      const count = sql`select count(*)::integer as count from resources`
      const before = await snapshot.query('count', count)
      await insertResource(url)
      await expect.poll(() => countOn(replica.url)).toBeGreaterThan(0)
      return { before, after: await snapshot.query('count', count) }
    })
    expect(read?.value).toEqual({ before: [{ count: 0 }], after: [{ count: 0 }] })
    const write = sql`delete from resources`
    let rejection: unknown = null
    await replicas.read(ANY, (snapshot) =>
      snapshot.query('write', write).catch((error: unknown) => {
        rejection = error
        throw error
      }),
    )
    expect(rejection).toMatchObject({ code: '25006' })
  })

  it('passes on what the primary would reject too, but not that a resource is missing', async () => {
    const rejected = new FlotillaError('too-many-requests', 'narrow the search')
    await expect(replicas.read(ANY, () => Promise.reject(rejected))).rejects.toBe(rejected)
    const missing = new FlotillaError('not-found', 'no such resource')
    expect(await replicas.read(ANY, () => Promise.reject(missing))).toBeNull()
    expect(replicas.states()[0]?.isUp).toBe(true)
  })

  it('uses no database that is not a replica of the primary', async () => {
    const reported: (string | null)[] = []
    await using strangers = openReplica({
      primary: database,
      replica: openTestDatabase(other.url),
      onChange: (_name, problem) => reported.push(problem),
    })
    await expect.poll(() => reported).toEqual(['it replicates another database or epoch'])
    expect(await strangers.read(ANY, () => Promise.resolve({}))).toBeNull()
  })

  it('decides about a replica only when the primary has answered', async () => {
    const reported: (string | null)[] = []
    const slow: Database = {
      ...database,
      execute: async (statement, values) => {
        await sleep(1000)
        return database.execute(statement, values)
      },
    }
    await using early = openReplica({
      primary: slow,
      replica: openTestDatabase(replica.url),
      onChange: (_name, problem) => reported.push(problem),
    })
    await expect.poll(() => early.states()[0]?.isUp).toBe(true)
    expect(reported).not.toContain('it replicates another database or epoch')
  })

  it('uses no database without tables of Flotilla', async () => {
    const reported: (string | null)[] = []
    const empty = new URL(url)
    empty.pathname = '/template1'
    await using _ = openReplica({
      primary: database,
      replica: openTestDatabase(empty.href),
      onChange: (_name, problem) => reported.push(problem),
    })
    await expect.poll(() => reported).toEqual(['it has no tables of Flotilla'])
  })
})

async function rowsOf(url: string, statement: string): Promise<readonly { count: number }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ count: number }>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Readers of the table on replicas hold a lock that conflicts with this one. */
async function lockResources(url: string): Promise<void> {
  await rowsOf(url, 'begin; lock table resources in access exclusive mode; commit')
}

/** Waits until the replica has ended the transactions of readers. */
async function snapshotEnds(url: string): Promise<void> {
  const open = `select count(*)::integer as count from pg_stat_activity
    where state = 'idle in transaction'`
  await expect.poll(async () => (await rowsOf(url, open))[0]?.count).toBe(0)
}

async function insertResource(url: string): Promise<void> {
  await rowsOf(
    url,
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by)
     values ('r', 'Cluster', 'r', 1, 1, '{}', '{}', '[]', '{}', now(), now(), '', '')`,
  )
}

async function countOn(url: string): Promise<number> {
  const rows = await rowsOf(url, 'select count(*)::integer as count from resources')
  return rows[0]?.count ?? 0
}
