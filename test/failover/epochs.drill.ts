import type pg from 'pg'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { renewEpoch } from '../../src/store/changes/renew-epoch.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf, openWatch } from '../watch/watch-client.ts'
import { type DatabasePair, startDatabasePair } from './database-pair.ts'
import { hasDebianPostgres } from './postgres-process.ts'

const SYNCHRONOUS = { DATABASE_OPTIONS: 'synchronous=true' }

let pair: DatabasePair

async function createCluster(server: TestServer): Promise<string> {
  const created = await server.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

/** After a failover, each connection to the former primary can fail one request with 503. */
const UNTIL_SERVED = { timeout: 60_000, interval: 50 }

async function untilCreated(server: TestServer): Promise<string> {
  return vi.waitFor(() => createCluster(server), UNTIL_SERVED)
}

async function versionOf(server: TestServer): Promise<string> {
  return vi.waitFor(async () => {
    const { status, body, text } = await server.get('/clusters')
    expect(status, text).toBe(200)
    return body.resource_version
  }, UNTIL_SERVED)
}

function epochOf(resourceVersion: string): string {
  return resourceVersion.slice(0, resourceVersion.indexOf('.'))
}

describe.skipIf(!hasDebianPostgres)('a failover', () => {
  beforeEach(async () => {
    pair = await startDatabasePair({ isSynchronous: false })
  })
  afterEach(() => pair[Symbol.asyncDispose]())

  test('begins a new epoch: watches end, and their resource versions are 410', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url })
    await createCluster(server)
    const before = await versionOf(server)
    using watch = await openWatch(server, `/clusters?watch=true&resourceVersion=${before}`)
    await pair.failOver()
    expect(await watch.ended).toBe('whole')
    expect(watch.text).toContain('410')
    await untilCreated(server)
    const after = await versionOf(server)
    expect(epochOf(after)).not.toBe(epochOf(before))
    const resumed = await server.get(`/clusters?watch=true&resourceVersion=${before}`)
    expect(resumed.status).toBe(410)
    expect(await metricOf(server, 'flotilla_db_failovers_total')).toBe(1)
  })

  test('is noticed although the control file still has the former timeline', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url })
    await createCluster(server)
    const before = await versionOf(server)
    await pair.standby.signal('checkpointer', 'SIGSTOP')
    await pair.promote()
    await pair.primary.kill()
    expect(
      await pair.standby.query(`
        select timeline_id, current_timeline() as current from pg_control_checkpoint()`),
    ).toEqual([{ timeline_id: 1, current: 2 }])
    await expect.poll(async () => epochOf(await versionOf(server))).not.toBe(epochOf(before))
    const renewed = await versionOf(server)
    await pair.standby.signal('checkpointer', 'SIGCONT')
    await pair.standby.query('checkpoint')
    await untilCreated(server)
    expect(epochOf(await versionOf(server))).toBe(epochOf(renewed))
  })

  test('serves no cached row of the former primary that was lost', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url })
    const id = await createCluster(server)
    await expect
      .poll(() => pair.standby.query(`select 1 from resources where id = '${id}'`))
      .toHaveLength(1)
    await pair.stopStandby()
    const lost = await server.patch(`/clusters/${id}`, { labels: { state: 'lost' } })
    expect(lost.status).toBe(200)
    expect((await server.get(`/clusters/${id}`)).body.labels).toEqual({ state: 'lost' })
    await pair.failOver()
    // The same version number as the lost change.
    await pair.standby.query(`
      update resources set labels = '{"state":"kept"}', version = version + 1 where id = '${id}'`)
    const reads: unknown[] = []
    await expect
      .poll(async () => {
        const { status, body } = await server.get(`/clusters/${id}`)
        if (status === 200) reads.push(body.labels)
        return reads.length
      })
      .toBeGreaterThan(3)
    expect(new Set(reads.map((labels) => JSON.stringify(labels)))).toEqual(
      new Set(['{"state":"kept"}']),
    )
  })

  test('begins a new epoch also if a server of the previous version moves the next change', async () => {
    {
      await using server = await startTestServer({ databaseUrl: pair.url })
      await createCluster(server)
    }
    await pair.failOver()
    const [before] = await pair.standby.query('select epoch from head')
    const moved = await pair.standby.query('select epoch from sequence_changes(100)')
    expect(moved).toEqual(await pair.standby.query('select epoch from head'))
    expect(moved).not.toEqual([before])
    const objects = await pair.standby.query('select epoch from sequence_objects(100)')
    expect(objects).toEqual(await pair.standby.query('select epoch from object_head'))
  })

  test('lets no write to a plane assign revisions of the former epoch again', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url })
    await createCluster(server)
    await pair.failOver()
    await using database = openTestDatabase(pair.url)
    const add = `insert into object_outbox (
        type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels, before)
      values ('ADDED', 'p', 'configmaps', 'd', 'n', 'u', 1, '{}', '[]', '{}', null)`
    await pair.standby.query(`update object_head set origin = replace(origin, '/2/', '/1/')`)
    await expect(pair.standby.query(add)).rejects.toMatchObject({ code: '57P03' })
    await renewEpoch(database, 'objects', null)
    await pair.standby.query(add)
  })
})

describe.skipIf(!hasDebianPostgres)('a failover of a synchronous database', () => {
  beforeEach(async () => {
    pair = await startDatabasePair({ isSynchronous: true })
  })
  afterEach(() => pair[Symbol.asyncDispose]())

  test('keeps the epoch, and watches continue', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url, env: SYNCHRONOUS })
    await createCluster(server)
    const before = await versionOf(server)
    using watch = await openWatch(server, `/clusters?watch=true&resourceVersion=${before}`)
    await pair.failOver()
    const id = await untilCreated(server)
    const { resource_version: version } = await watch.until(({ object }) => object.id === id)
    expect(epochOf(version)).toBe(epochOf(before))
    expect(
      await pair.standby.query(`select split_part(origin, '/', 2) as timeline from head
      union select split_part(origin, '/', 2) from object_head`),
    ).toEqual([{ timeline: '2' }])
  })

  test('begins a new epoch if the log lacks changes that the server has seen', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url, env: SYNCHRONOUS })
    const before = await versionOf(server)
    await pair.primary.query(`alter system set synchronous_standby_names = ''`)
    await pair.primary.query('select pg_reload_conf()')
    await pair.stopStandby()
    await createCluster(server)
    await expect.poll(async () => await versionOf(server)).not.toBe(before)
    await pair.failOver()
    await untilCreated(server)
    expect(epochOf(await versionOf(server))).not.toBe(epochOf(before))
  })

  test('begins a new epoch for servers that start without having seen the log', async () => {
    const before = await (async () => {
      await using server = await startTestServer({ databaseUrl: pair.url, env: SYNCHRONOUS })
      await createCluster(server)
      return await versionOf(server)
    })()
    await pair.failOver()
    await using server = await startTestServer({ databaseUrl: pair.url, env: SYNCHRONOUS })
    expect(epochOf(await versionOf(server))).not.toBe(epochOf(before))
  })

  test('does not acknowledge a commit whose replication was cancelled', async () => {
    await using server = await startTestServer({ databaseUrl: pair.url, env: SYNCHRONOUS })
    await createCluster(server)
    await pair.standby.signal('walreceiver', 'SIGSTOP')
    const writing = server.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} })
    const waiting = `select pid from pg_stat_activity
      where wait_event = 'SyncRep' and query like '%insert into resources%'`
    await expect.poll(() => pair.primary.query(waiting)).toHaveLength(1)
    await pair.primary.query(waiting.replace('select pid', 'select pg_cancel_backend(pid)'))
    const answer = await writing
    expect(answer.status, answer.text).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    await pair.standby.signal('walreceiver', 'SIGCONT')
  })
})

describe.skipIf(!hasDebianPostgres)('connections to a former primary', () => {
  beforeEach(async () => {
    pair = await startDatabasePair({ isSynchronous: false })
  })
  afterEach(() => pair[Symbol.asyncDispose]())

  test('are closed and rejected as soon as one reaches its successor', async () => {
    await using database = openTestDatabase(pair.url)
    const listener = vi.fn<(connection: Database) => Promise<void>>(async () => undefined)
    database.onFailover(listener)
    const former = await database.pool.connect()
    former.on('error', () => undefined)
    expect(await systemOf(former)).toEqual([{ timeline: 1 }])
    await pair.promote()

    // The former primary still answers.
    expect(await systemOf(former)).toEqual([{ timeline: 1 }])
    const current = await database.pool.connect()
    expect(await systemOf(current)).toEqual([{ timeline: 2 }])
    expect(listener).toHaveBeenCalledOnce()
    await expect(former.query('select 1')).rejects.toThrow(/Connection terminated|not queryable/)
    former.release(true)

    pair.route(pair.primary)
    await expect(database.pool.connect()).rejects.toMatchObject({ reason: 'unavailable' })
    pair.route(pair.standby)
    current.release()
    expect(await database.query('timeline', sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(listener).toHaveBeenCalledOnce()
  })

  test('are rejected as long as another connection leads to its successor', async () => {
    await using database = openTestDatabase(pair.url)
    const listener = vi.fn<(connection: Database) => Promise<void>>(async () => undefined)
    database.onFailover(listener)
    const former = await database.pool.connect()
    former.on('error', () => undefined)
    await pair.promote()
    const current = await database.pool.connect()
    expect(await systemOf(current)).toEqual([{ timeline: 2 }])
    former.release(true)
    pair.route(pair.primary)
    using later = minutesLater(10)
    await expect(database.pool.connect()).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await systemOf(current)).toEqual([{ timeline: 2 }])
    current.release(true)
    await expect(database.pool.connect()).rejects.toMatchObject({ reason: 'unavailable' })
    later.add(2)
    // The successor has been unreachable for so long that this is a restored database.
    const restored = await database.pool.connect()
    expect(await systemOf(restored)).toEqual([{ timeline: 1 }])
    restored.release()
    expect(listener).toHaveBeenCalledTimes(2)
  })

  test('are not used before the listeners of a failover have succeeded', async () => {
    await using database = openTestDatabase(pair.url)
    await database.query('one', sql`select 1`)
    let failures = 1
    database.onFailover(async (connection) => {
      expect(await connection.query('one', sql`select 1 as one`)).toEqual([{ one: 1 }])
      if ((failures -= 1) >= 0) throw new Error('the epoch could not be renewed')
    })
    await pair.failOver()
    await expect
      .poll(() => database.query('one', sql`select 1 as one`).catch(() => null))
      .toEqual([{ one: 1 }])
    expect(failures).toBe(-1)
  })
})

describe.skipIf(!hasDebianPostgres)('connections to a standby', () => {
  beforeEach(async () => {
    pair = await startDatabasePair({ isSynchronous: false })
  })
  afterEach(() => pair[Symbol.asyncDispose]())

  test('are rejected beside connections to the primary, so that reads are current', async () => {
    await using database = openTestDatabase(pair.url)
    const primary = await database.pool.connect()
    pair.route(pair.standby)
    using later = minutesLater(10)
    await expect(database.pool.connect()).rejects.toMatchObject({ reason: 'unavailable' })
    primary.release(true)
    await expect(database.pool.connect()).rejects.toMatchObject({ reason: 'unavailable' })
    later.add(2)
    // Without a primary, reads still work.
    expect(await database.query('one', sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('are used by a server of PostgreSQL that has no primary, and by replicas', async () => {
    pair.route(pair.standby)
    await using alone = openTestDatabase(pair.url)
    expect(await alone.query('one', sql`select 1 as one`)).toEqual([{ one: 1 }])
    await using replica = openTestDatabase(pair.url, undefined, { acceptsStandbys: true })
    pair.route(pair.primary)
    const primary = await replica.pool.connect()
    pair.route(pair.standby)
    expect(await replica.query('one', sql`select 1 as one`)).toEqual([{ one: 1 }])
    primary.release()
  })

  test('are closed after a transaction that they rejected', async () => {
    pair.route(pair.standby)
    await using database = openTestDatabase(pair.url)
    const write = sql`create temporary table written (id integer)`
    const writing = database.transaction((transaction) => transaction.query('write', write))
    await expect(writing).rejects.toMatchObject({ code: '25006' })
    expect(database.pool.totalCount).toBe(0)
  })
})

/** Moves the clock of `performance` forwards until it is disposed. */
function minutesLater(minutes: number): Disposable & { add(minutes: number): void } {
  let offset = minutes * 60_000
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + offset)
  return {
    add: (more) => {
      offset += more * 60_000
    },
    [Symbol.dispose]: () => clock.mockRestore(),
  }
}

async function systemOf(client: pg.ClientBase): Promise<unknown[]> {
  const { rows } = await client.query(`
    select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer as timeline`)
  return rows
}
