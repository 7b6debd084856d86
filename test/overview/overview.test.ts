import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordMinute } from '../../src/overview/storage/record-minute.ts'
import { defineKind } from '../../src/store/registry/kind.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { Client, type KindOverview, type Overview } from '../../clients/typescript/src/index.ts'
import { createFleet } from '../fleets/members/member-fixtures.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const region = defineKind({
  kind: 'Region',
  plural: 'regions',
  singular: 'region',
  parent: null,
  name: { minLength: 1, maxLength: 20 },
  spec: { type: 'object' },
  requiredAdapters: [],
  references: [],
  hasStatuses: false,
  messages: { available: '', ready: '' },
})

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startTestServer({
    kinds: [...builtIn, region],
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]', HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]' },
  })
  client = new Client(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

function countsOf({ kinds }: Overview, kind: string): KindOverview {
  return must(
    kinds.find((counted) => counted.kind === kind),
    kind,
  )
}

/** Polls until the overview includes every write: the sequencer moves them a little later. */
async function current(): Promise<Overview> {
  const [row] = await queryDatabase(
    server,
    'select epoch, revision + (select count(*) from outbox) as end from head',
  )
  for (;;) {
    const overview = await client.overview()
    const [, revision = ''] = overview.resource_version.split('.')
    if (BigInt(revision) >= BigInt(String(row?.['end']))) return overview
  }
}

async function report(id: string, adapter: string, generation: number, status: 'True' | 'False') {
  const conditions = [{ type: 'Available', status } as const]
  await client.statuses.create(id, { adapter, observed_generation: generation, conditions })
}

test('a server without resources has zeros', async () => {
  const overview = await client.overview()
  expect(overview).toMatchObject({ kind: 'Overview', recent: [] })
  // A minute may have ended since the start of the server.
  for (const { total, not_ready } of overview.history) {
    expect({ total, not_ready }).toEqual({ total: {}, not_ready: {} })
  }
  expect(overview.kinds).toEqual(
    ['Cluster', 'NodePool', 'Region'].map((kind) => ({
      kind,
      total: 0,
      ready: 0,
      not_ready: 0,
      deleting: 0,
      conditions: [],
      waiting_for: [],
    })),
  )
})

test('counts follow creates, reports, spec changes, deletions and removals', async () => {
  const [first, second, third] = await Promise.all(
    ['a', 'b', 'c'].map(() => client.clusters.create({ name: newName() })),
  )
  const ids = [first, second, third].map((cluster) => must(cluster, 'a cluster').id)
  const [ready = '', failed = '', missing = ''] = ids
  await report(ready, 'dns', 1, 'True')
  await report(ready, 'net', 1, 'True')
  await report(failed, 'dns', 1, 'False')
  await report(failed, 'net', 1, 'True')
  const overview = await current()
  expect(countsOf(overview, 'Cluster')).toMatchObject({
    total: 3,
    ready: 1,
    not_ready: 2,
    deleting: 0,
    waiting_for: [
      { adapter: 'dns', count: 2 },
      { adapter: 'net', count: 1 },
    ],
  })
  expect(countsOf(overview, 'Cluster').conditions).toEqual([
    { type: 'Available', status: 'False', reason: 'AwaitingAdapters', count: 1 },
    { type: 'Available', status: 'False', reason: 'ResourceNotAvailable', count: 1 },
    { type: 'Available', status: 'True', reason: 'ResourceAvailable', count: 1 },
    { type: 'Ready', status: 'False', reason: 'AwaitingAdapters', count: 1 },
    { type: 'Ready', status: 'False', reason: 'ResourceNotReady', count: 1 },
    { type: 'Ready', status: 'True', reason: 'ResourceReady', count: 1 },
    { type: 'Reconciled', status: 'False', reason: 'AwaitingAdapters', count: 1 },
    { type: 'Reconciled', status: 'False', reason: 'ReconciledMissingAdapters', count: 1 },
    { type: 'Reconciled', status: 'True', reason: 'ReconciledAll', count: 1 },
  ])

  await client.clusters.patch(ready, { spec: { size: 2 } })
  await client.nodepools.create({ cluster: failed, name: 'pool' })
  await client.collection('regions').create({ name: 'north', body: { kind: 'Region', spec: {} } })
  const changed = await current()
  expect(countsOf(changed, 'Cluster')).toMatchObject({
    ready: 0,
    not_ready: 3,
    waiting_for: [
      { adapter: 'dns', count: 3 },
      { adapter: 'net', count: 2 },
    ],
  })
  expect(countsOf(changed, 'NodePool')).toMatchObject({ total: 1, not_ready: 1 })
  expect(countsOf(changed, 'Region')).toMatchObject({ total: 1, ready: 0, not_ready: 0 })
  expect(changed.recent[0]).toMatchObject({ type: 'created', kind: 'Region', fields: ['spec'] })
  expect(changed.recent[0]).not.toHaveProperty('spec')
  const reports = changed.recent.filter(({ type }) => type === 'reported')
  expect(reports.map(({ adapter }) => adapter)).toEqual(['net', 'dns', 'net', 'dns'])

  await client.clusters.delete(failed)
  expect(countsOf(await current(), 'Cluster')).toMatchObject({ total: 3, deleting: 1 })
  for (const id of [missing, failed]) {
    await client.clusters.delete(id)
    await client.clusters.forceDelete(id, 'test')
  }
  const left = await current()
  expect(countsOf(left, 'Cluster')).toMatchObject({ total: 1, deleting: 0 })
  expect(countsOf(left, 'NodePool')).toMatchObject({ total: 0, not_ready: 0 })
})

/** The content of an overview that does not depend on who counted. */
async function kindsOf(origin: string, version: string): Promise<unknown> {
  const other = new Client(origin)
  for (;;) {
    const { kinds, resource_version: found } = await other.overview()
    if (found === version) return kinds
  }
}

test('waiting_for counts the adapters that members of a fleet declare', async () => {
  const before = countsOf(await current(), 'Cluster')
  const fleet = await createFleet(server, 'declared', {
    replicas: 2,
    scaleDownPolicy: 'Delete',
    requiredAdapters: ['net', 'own'],
  })
  await fleet.converge()
  const waiting = async () => {
    const { total, waiting_for: adapters } = countsOf(await current(), 'Cluster')
    const growth = adapters.map(growthOf).filter(([, count]) => count !== 0)
    return { total: total - before.total, ...Object.fromEntries(growth) }
  }
  const growthOf = ({ adapter, count }: KindOverview['waiting_for'][number]) => {
    const earlier = before.waiting_for.find((one) => one.adapter === adapter)?.count ?? 0
    return [adapter, count - earlier] as const
  }
  await expect.poll(waiting).toEqual({ total: 2, net: 2, own: 2 })
  const { members } = await fleet.compare()
  await report(must(members[0]?.uid, 'a member'), 'own', 1, 'True')
  await expect.poll(waiting).toEqual({ total: 2, net: 2, own: 1 })
  // A server that only scans agrees with the counts that followed every change.
  await using other = await startTestServer({
    databaseUrl: server.databaseUrl,
    kinds: [...builtIn, region],
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]', HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]' },
  })
  const overview = await current()
  expect(await kindsOf(other.origin, overview.resource_version)).toEqual(overview.kinds)

  await fleet.patchSpec({ requiredAdapters: ['dns'] })
  await fleet.converge()
  await expect.poll(waiting).toEqual({ total: 2, dns: 2 })
  await fleet.patchSpec({ requiredAdapters: [] })
  await fleet.converge()
  await expect.poll(waiting).toEqual({ total: 2 })
  await fleet.patchSpec({ replicas: 0 })
  await fleet.converge()
  // It waits for the adapter that has reported, which is not an adapter of the kind.
  await expect.poll(waiting).toEqual({ total: 1 })
})

test('a scan between writes agrees with counts that followed every change', async () => {
  const ids: string[] = []
  const write = async (step: number): Promise<void> => {
    const cluster = await client.clusters.create({ name: newName() })
    ids.push(cluster.id)
    await report(cluster.id, step % 2 === 0 ? 'dns' : 'net', 1, step % 3 === 0 ? 'False' : 'True')
    await report(cluster.id, step % 2 === 0 ? 'net' : 'dns', 1, step % 5 === 0 ? 'False' : 'True')
    if (step % 4 === 0) await client.clusters.patch(cluster.id, { spec: { step } })
    if (step % 7 === 0) await client.clusters.delete(cluster.id)
  }
  const writes = Promise.all(Array.from({ length: 40 }, (_, step) => write(step)))
  await using other = await startTestServer({
    databaseUrl: server.databaseUrl,
    kinds: [...builtIn, region],
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]', HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]' },
  })
  // The other server counts while the writes continue.
  await new Client(other.origin).overview()
  await writes
  const overview = await current()
  expect(countsOf(overview, 'Cluster').total).toBeGreaterThanOrEqual(40)
  expect(await kindsOf(other.origin, overview.resource_version)).toEqual(overview.kinds)
  // A third one only scans.
  await using third = await startTestServer({
    databaseUrl: server.databaseUrl,
    kinds: [...builtIn, region],
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]', HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]' },
  })
  expect(await kindsOf(third.origin, overview.resource_version)).toEqual(overview.kinds)
})

test('each minute is recorded once for all servers', async () => {
  await using database = openTestDatabase(server.databaseUrl)
  // A transaction always has the same time, and heartbeats of the server wait for it.
  const minute = await database.transaction(async (inside) => {
    const run = (text: string) => inside.query<{ minute: Date }>('test', raw(text))
    await run('delete from load_minutes')
    await run('delete from count_minutes')
    await recordMinute(inside)
    await recordMinute(inside)
    // The server may have recorded the next minute.
    const current = "where minute = date_trunc('minute', now())"
    await run(
      `update load_minutes set minute = minute - interval '1 minute', revision = revision - 120 ${current}`,
    )
    await run(`update count_minutes set minute = minute - interval '1 minute' ${current}`)
    await run('update servers set reports_per_second = 2.5, seen_time = clock_timestamp()')
    await recordMinute(inside)
    const [row] = await run("select date_trunc('minute', now()) as minute")
    return must(row, 'a row').minute.getTime()
  })
  const { history, kinds } = await current()
  // The server may have recorded another minute since.
  const recorded = history.filter(({ time }) => Date.parse(time) <= minute)
  expect(recorded.map(({ time }) => Date.parse(time))).toEqual([minute - 60_000, minute])
  const later = recorded[1]
  expect(later).toMatchObject({ changes_per_second: 2, reports_per_second: 2.5 })
  const counted = Object.fromEntries(kinds.map(({ kind, total }) => [kind, total]))
  expect(later?.total).toMatchObject({ Cluster: counted['Cluster'], Region: 1 })
  const notReady = must(
    kinds.find(({ kind }) => kind === 'Cluster'),
    'clusters',
  ).not_ready
  expect(later?.not_ready).toMatchObject({ Cluster: notReady, Region: 0 })
})

test('a watch sends the overview immediately and after changes', async () => {
  const abort = new AbortController()
  const name = newName()
  const totals: number[] = []
  let created = false
  for await (const event of client.watchOverview({ signal: abort.signal })) {
    if (event.type !== 'MODIFIED') continue
    expect(event.resourceVersion).toBe(event.object.resource_version)
    totals.push(countsOf(event.object, 'Cluster').total)
    if (event.object.recent[0]?.name === name) break
    if (!created) await client.clusters.create({ name })
    created = true
  }
  abort.abort()
  expect(totals.at(-1)).toBe((totals[0] ?? 0) + 1)
})

test('a new epoch leads to a new scan', async () => {
  const before = await current()
  await queryDatabase(server, 'update head set epoch = left(md5(gen_random_uuid()::text), 8)')
  await client.clusters.create({ name: newName() })
  await expect
    .poll(async () => countsOf(await client.overview(), 'Cluster').total)
    .toBe(countsOf(before, 'Cluster').total + 1)
})

test.each([
  ['/overview?watch=x', 400],
  ['/overview?kind=Cluster', 400],
  ['/overview?limit=1', 400],
])('%s is %i', async (path, status) => {
  expect((await server.get(path)).status).toBe(status)
})
