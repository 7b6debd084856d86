import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { availableReport } from '../statuses/available-report.ts'
import { create, KIND_CASES, newName, queryDatabase } from '../support/fixtures.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'
import { must } from '../../src/lib/assert.ts'

const UNAVAILABLE = { status: 503, code: 'HYPERFLEET-SVC-001', retryAfter: '1' }

function summary({ status, headers, body }: TestResponse) {
  return { status, code: body?.code, retryAfter: headers.get('retry-after') }
}

async function readiness(server: TestServer) {
  const answer = await fetch(`${server.healthOrigin}/readyz`)
  return { status: answer.status, checks: JSON.parse(await answer.text()).checks }
}

/** Makes writes to resources and reports fail as on a full disk, until it is disposed. */
async function fillDisk(server: TestServer): Promise<void> {
  await queryDatabase(
    server,
    `create function no_space() returns trigger language plpgsql as $$
     begin
       raise exception using errcode = 'disk_full',
         message = 'could not extend file "base/5/16384": No space left on device';
     end $$`,
  )
  for (const table of ['resources', 'adapter_statuses']) {
    await queryDatabase(
      server,
      `create trigger no_space before insert or update on ${table}
       execute function no_space()`,
    )
  }
}

async function freeDisk(server: TestServer): Promise<void> {
  await queryDatabase(server, 'drop function no_space() cascade')
}

/** Makes the database read-only or writable, and terminates existing sessions. */
async function setReadOnly(databaseUrl: string, readOnly: boolean): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  const client = new pg.Client({ connectionString: urlOf(databaseUrl, 'postgres') })
  await client.connect()
  await client.query(`alter database ${name} set default_transaction_read_only = ${readOnly}`)
  // Waits for the end of the sessions: another one of the pool could still have the former setting.
  await client.query(
    'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1',
    [name],
  )
  await client.end()
}

const CLUSTER = must(
  KIND_CASES.find(({ kind }) => kind === 'Cluster'),
  'the kind of clusters',
)

function clusterBody() {
  return { kind: 'Cluster', name: newName(), spec: {} }
}

describe('readiness and the outcome of writes', () => {
  it('is 503 after a write fails on a full disk, and 200 again without another request', async () => {
    await using server = await startTestServer()
    const { item } = await create(server, CLUSTER)
    expect(await readiness(server)).toMatchObject({ status: 200, checks: { writes: 'ok' } })
    await fillDisk(server)
    const writes = await Promise.all([
      server.post('/clusters', clusterBody()),
      server.patch(item, { spec: { changed: true } }),
      server.post(`${item}/statuses`, availableReport('dns', 1)),
      server.request('DELETE', item),
    ])
    for (const answer of writes) expect(summary(answer), answer.text).toEqual(UNAVAILABLE)
    expect(writes[0]?.body.detail).toBe('The database has no disk space left: try again later')
    expect(await readiness(server)).toMatchObject({
      status: 503,
      checks: { database: 'ok', writes: 'disk full' },
    })
    expect((await server.get(item)).status).toBe(200)
    await freeDisk(server)
    await expect
      .poll(() => readiness(server), { interval: 100 })
      .toMatchObject({ status: 200, checks: { writes: 'ok' } })
    expect((await server.post('/clusters', clusterBody())).status).toBe(201)
  })

  it('stays 503 while the disk is full, and leaves no rows in the database', async () => {
    await using server = await startTestServer()
    await fillDisk(server)
    await server.post('/clusters', clusterBody())
    await queryDatabase(server, 'select pg_sleep(2.5)')
    expect(await readiness(server)).toMatchObject({ status: 503, checks: { writes: 'disk full' } })
    await freeDisk(server)
    await expect.poll(() => readiness(server), { interval: 100 }).toMatchObject({ status: 200 })
    const [left] = await queryDatabase(server, 'select count(*)::integer as count from resources')
    expect(left).toEqual({ count: 0 })
  })

  it('is 503 after a write fails on a read-only database, and 200 again later', async () => {
    await using database = await createTestDatabase()
    await using server = await startTestServer({ databaseUrl: database.url })
    await setReadOnly(database.url, true)
    await expect
      .poll(async () => (await server.post('/clusters', clusterBody())).body.detail)
      .toBe('The database is read-only at the moment: try again later')
    expect(summary(await server.post('/clusters', clusterBody()))).toEqual(UNAVAILABLE)
    expect(await readiness(server)).toMatchObject({ status: 503, checks: { writes: 'read-only' } })
    await setReadOnly(database.url, false)
    await expect
      .poll(() => readiness(server), { interval: 100 })
      .toMatchObject({ status: 200, checks: { writes: 'ok' } })
  })
})
