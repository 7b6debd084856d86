import { afterAll, beforeAll, expect, test } from 'vitest'
import { readQueues } from '../../src/adapter-work/storage/read-queues.ts'
import { must } from '../../src/lib/assert.ts'
import { ReportRecorder } from '../../src/overview/adapters/report-recorder.ts'
import { readReports } from '../../src/overview/storage/read-reports.ts'
import { createCluster, DNS_ONLY, leaseMany } from '../adapter-work/worker.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: DNS_ONLY })
})
afterAll(() => server[Symbol.asyncDispose]())

const START = new Date('2026-11-29T12:00:00Z')
const after = (seconds: number): Date => new Date(START.getTime() + seconds * 1000)

test('servers add their reports by kind, tenant and adapter', async () => {
  await using database = openTestDatabase(server.databaseUrl)
  const [first, second] = [new ReportRecorder(), new ReportRecorder()]
  const kind = 'Recorded'
  for (let index = 0; index < 60; index += 1) {
    first.add({ kind, tenant: 'a', adapter: 'dns', time: START, latencyMs: null })
    second.add({ kind, tenant: 'b', adapter: 'dns', time: after(-5), latencyMs: null })
  }
  second.add({ kind, tenant: 'a', adapter: 'dns', time: after(-5), latencyMs: null })
  second.add({ kind, tenant: 'b', adapter: 'net', time: START, latencyMs: null })
  second.add({ kind: 'Other', tenant: 'a', adapter: 'other', time: START, latencyMs: null })
  await first.record(database)
  await second.record(database)
  await second.record(database)
  const read = async (tenant: string | null, seconds = 0) => {
    const scope = { kind, tenant, required: ['net'], now: after(seconds), limit: 10 }
    const rows = await readReports(database, scope)
    return rows.map(({ adapter, last_report_time: time, reports_per_second: rate }) => [
      adapter,
      time.getTime() - START.getTime(),
      Math.round(rate * 100) / 100,
    ])
  }
  expect(await read('a')).toEqual([['dns', 0, 1.02]])
  expect(await read(null)).toEqual([
    ['net', 0, 0.02],
    ['dns', 0, 1.94],
  ])
  expect(await read('a', 60)).toEqual([['dns', 0, 0.37]])
  expect(await read('a', 1e9)).toEqual([['dns', 0, 0]])
  expect(await read('c')).toEqual([])
})

test('a record that fails is repeated', async () => {
  const closed = openTestDatabase(server.databaseUrl)
  await closed[Symbol.asyncDispose]()
  await using database = openTestDatabase(server.databaseUrl)
  const recorder = new ReportRecorder()
  recorder.add({ kind: 'Repeated', tenant: '', adapter: 'dns', time: START, latencyMs: null })
  await expect(recorder.record(closed)).rejects.toThrow()
  recorder.add({ kind: 'Repeated', tenant: '', adapter: 'dns', time: after(-1), latencyMs: null })
  await recorder.record(database)
  const scope = { kind: 'Repeated', tenant: null, required: [], now: START, limit: 10 }
  expect(await readReports(database, scope)).toEqual([
    { adapter: 'dns', last_report_time: START, reports_per_second: 2 / 60 },
  ])
})

test('the state of a queue has its backlog, leases and delays', async () => {
  await using database = openTestDatabase(server.databaseUrl)
  await Promise.all(Array.from({ length: 3 }, () => createCluster(server)))
  const [item] = await leaseMany(server, 3)
  const token = must(item, 'a lease').lease.token
  const returned = await server.request('DELETE', `/adapters/dns/leases/${token}?delaySeconds=60`)
  expect(returned.status).toBe(204)
  await createCluster(server)
  const read = async (tenant: string | null) => {
    // The queue follows the log when an adapter leases.
    await server.post('/adapters/dns/lease', { kinds: ['Cluster'], search: "name='none'" })
    const rows = await readQueues(database, { kind: 'Cluster', tenant })
    return rows.map(({ oldest_lease_time: leased, used_time: used, ...counts }) => ({
      ...counts,
      times: [leased !== null, used !== null],
    }))
  }
  const counts = { adapter: 'dns', queued: 1, leased: 2, delayed: 1, times: [true, true] }
  await expect.poll(() => read(null), { timeout: 30_000 }).toEqual([counts])
  expect(await read('other')).toEqual([
    { adapter: 'dns', queued: 0, leased: 0, delayed: 0, times: [false, false] },
  ])
  expect(await readQueues(database, { kind: 'NodePool', tenant: null })).toEqual([])
})
