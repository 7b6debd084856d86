import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { availableReport } from '../statuses/available-report.ts'
import { lockTable, type Lock } from './row-lock.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

const UNAVAILABLE = { status: 503, code: 'HYPERFLEET-SVC-001', retryAfter: '1' }

let database: TestDatabase
let proxy: TcpProxy
let server: TestServer
let id: string

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startTcpProxy(database.url)
  server = await startTestServer({
    databaseUrl: proxy.url,
    env: {
      STATEMENT_TIMEOUT_MS: '1000',
      DATABASE_OPTIONS: 'pool-size=4',
    },
    config: { databaseConnectTimeoutMs: 1000 },
  })
})
beforeEach(async () => {
  proxy.set('pass')
  const { body } = await untilStatus(201, () => server.post('/clusters', clusterBody()))
  id = body.id
})
afterAll(async () => {
  proxy.set('pass')
  await server[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

let names = 0

function clusterBody() {
  names += 1
  return { kind: 'Cluster', name: `outage-${names}`, spec: {} }
}

/** One request of every verb. */
function everyVerb(): Promise<TestResponse>[] {
  const cluster = `/clusters/${id}`
  return [
    server.get(cluster),
    server.get('/clusters'),
    server.get(`/clusters?search=${encodeURIComponent("name='outage'")}`),
    server.get(`${cluster}/statuses`),
    server.get(`${cluster}/nodepools`),
    server.post('/clusters', clusterBody()),
    server.post(`${cluster}/nodepools`, { kind: 'NodePool', name: `pool-${names}`, spec: {} }),
    server.post(`${cluster}/statuses`, availableReport('dns', 1)),
    server.patch(cluster, { spec: { names } }),
  ]
}

function summary({ status, headers, body }: TestResponse) {
  return { status, code: body?.code, retryAfter: headers.get('retry-after') }
}

async function probe(path: string): Promise<number> {
  const response = await fetch(server.healthOrigin + path)
  await response.arrayBuffer()
  return response.status
}

/** Repeats a request until it has this status, because a pool detects broken connections late. */
async function untilStatus(
  status: number,
  request: () => Promise<TestResponse>,
): Promise<TestResponse> {
  for (;;) {
    const answer = await request()
    if (answer.status === status) return answer
    await sleep(50)
  }
}

async function expectRecovery(): Promise<void> {
  await untilStatus(200, () => server.get(`/clusters/${id}`))
  // On a busy machine, single requests can still exceed the short timeouts of this server.
  await expect
    .poll(async () => {
      const answers = await Promise.all(everyVerb())
      return answers.filter(({ status }) => status >= 300).map(({ text }) => text)
    })
    .toEqual([])
  await expect.poll(() => probe('/readyz')).toBe(200)
}

describe('a database that cannot be reached', () => {
  it('is 503 with Retry-After on every verb, and works again without a restart', async () => {
    proxy.set('refuse')
    const answers = await Promise.all(everyVerb())
    for (const answer of answers) expect(summary(answer), answer.text).toEqual(UNAVAILABLE)
    expect(await probe('/readyz')).toBe(503)
    expect(await probe('/healthz')).toBe(200)
    proxy.set('pass')
    await expectRecovery()
  })

  it('reveals no details of the database in the response', async () => {
    proxy.set('refuse')
    const { body } = await server.get(`/clusters/${id}`)
    expect(body.detail).toBe('The database cannot be reached: try again later')
  })

  it('does not lose acknowledged reports', async () => {
    const path = `/clusters/${id}`
    await untilStatus(201, () =>
      server.post(`${path}/statuses`, availableReport('dns', 1, 'True', 7)),
    )
    proxy.set('refuse')
    expect(
      (await server.post(`${path}/statuses`, availableReport('dns', 1, 'True', 8))).status,
    ).toBe(503)
    proxy.set('pass')
    const { body } = await untilStatus(200, () => server.get(`${path}/statuses`))
    expect(body.items.map((item: { data: object }) => item.data)).toEqual([{ seq: 7 }])
  })
})

describe('a database that accepts connections and never responds', () => {
  it('is 503 after the timeouts, and works again without a restart', async () => {
    proxy.set('hang')
    // Writes of one resource are serialized. If their timeouts added up, this test would time out.
    const reports = [...'abcdefghijklmnop'].map((adapter) =>
      server.post(`/clusters/${id}/statuses`, availableReport(adapter, 1)),
    )
    const requests = [...everyVerb(), ...reports]
    expect(await probe('/readyz')).toBe(503)
    expect(await probe('/healthz')).toBe(200)
    const answers = await Promise.all(requests)

    for (const answer of answers) expect(summary(answer), answer.text).toEqual(UNAVAILABLE)
    proxy.set('pass')
    await expectRecovery()
  })
})

describe('connections that an administrator terminates', () => {
  it('are replaced: requests fail only with 503, and succeed soon', async () => {
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    const requests = Array.from({ length: 5 }, everyVerb).flat()
    await admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await admin.end()
    for (const { status, text } of await Promise.all(requests)) {
      expect([200, 201, 409, 429, 503], text).toContain(status)
    }
    await expectRecovery()
  })
})

describe('a table that another transaction has locked', () => {
  let lock: Lock
  beforeEach(async () => {
    lock = await lockTable(database.url, 'resources')
    return () => lock[Symbol.asyncDispose]()
  })

  it('makes a search 429 with advice and Retry-After after the statement timeout', async () => {
    // On a busy machine, a new connection may take too long first.
    const search = encodeURIComponent("name='slow'")
    const answer = await untilStatus(429, () => server.get(`/clusters?search=${search}`))
    expect(summary(answer)).toEqual({ status: 429, code: 'HYPERFLEET-LMT-001', retryAfter: '1' })
    expect(answer.body.detail).toContain('narrow it')
  })

  it('makes other requests 503', async () => {
    const cluster = `/clusters/${id}`
    // At most as many requests as connections.
    for (const requests of [
      [server.get(cluster), server.get('/clusters')],
      [server.post('/clusters', clusterBody()), server.get(`${cluster}/statuses`)],
      [server.post(`${cluster}/statuses`, availableReport('dns', 1))],
      [server.patch(cluster, { spec: { names } })],
    ]) {
      const answers = await Promise.all(requests)
      for (const answer of answers) expect(summary(answer), answer.text).toEqual(UNAVAILABLE)
    }
  })

  it('has no effect after it is unlocked', async () => {
    await server.get(`/clusters/${id}`)
    await lock[Symbol.asyncDispose]()
    await expectRecovery()
  })
})

describe('searches beyond the search concurrency', () => {
  it('are 429 after a wait', async () => {
    await using busy = await startTestServer({
      databaseUrl: database.url,
      config: { searchSlots: 1, searchWaitMs: 50 },
    })
    const lock = await lockTable(database.url, 'resources')
    const search = `/clusters?search=${encodeURIComponent("labels.a='b'")}`
    const first = busy.get(search)
    await lock.awaited()
    const second = await busy.get(search)
    expect(summary(second)).toEqual({ status: 429, code: 'HYPERFLEET-LMT-001', retryAfter: '1' })
    expect(second.body.detail).toContain('Too many searches')
    await lock[Symbol.asyncDispose]()
    expect((await first).status).toBe(200)
    expect((await busy.get(search)).status).toBe(200)
    const metrics = await (await fetch(`${busy.metricsOrigin}/metrics`)).text()
    expect(metrics).toMatch(/search\w*rejected\w* 1\b/)
  })
})
