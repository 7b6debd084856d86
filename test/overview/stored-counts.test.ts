import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareText } from '../../src/lib/text/compare-text.ts'
import { fingerprintOfCounts, loadCounts } from '../../src/overview/load-counts.ts'
import { updateStoredCounts } from '../../src/overview/keep-counts.ts'
import { scanStates } from '../../src/overview/storage/scan-states.ts'
import { stateOf } from '../../src/overview/resource-state.ts'
import { StateCounts } from '../../src/overview/state-counts.ts'
import type { Registry } from '../../src/store/registry/registry.ts'
import { creation, queryDatabase, report } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
/** With another fingerprint than the server, which stores its own counts meanwhile. */
let registry: Registry
beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]' } })
  const other = { ...server.registry.byName('Cluster'), kind: 'Other' }
  registry = {
    ...server.registry,
    kinds: [...server.registry.kinds, other],
    find: (kind) => server.registry.find(kind),
  }
})
afterAll(() => server[Symbol.asyncDispose]())

/** Loads counts as a new server does. Returns them in a fixed order, and whether it read all resources. */
async function load() {
  await sequenced()
  const statements: string[] = []
  await using database = openTestDatabase(server.databaseUrl, (name) => {
    statements.push(name)
  })
  const { counts, revision } = await loadCounts(database, registry)
  return { counts: textOf(counts), revision, isScan: statements.includes('scan_groups') }
}

/** The counts that a scan of all resources finds. */
async function scan(): Promise<readonly string[]> {
  await using database = openTestDatabase(server.databaseUrl)
  const counts = new StateCounts()
  for (const group of (await scanStates(database, ['DnsSuccessful', 'NetSuccessful'])).groups) {
    counts.add(stateOf(registry, group), group.count)
  }
  return textOf(counts)
}

function textOf(counts: StateCounts): readonly string[] {
  return [...counts.of(null)].map((count) => JSON.stringify(count)).toSorted(compareText)
}

async function store(): Promise<void> {
  await sequenced()
  await using database = openTestDatabase(server.databaseUrl)
  await updateStoredCounts({ database, registry }, { recentSeconds: 0 })
}

function stored() {
  return queryDatabase(
    server,
    'select revision, stored_time from state_counts where fingerprint = $1',
    [fingerprintOfCounts(registry)],
  )
}

async function sequenced(): Promise<void> {
  await expect.poll(() => queryDatabase(server, 'select id from outbox')).toEqual([])
}

async function write(): Promise<void> {
  const ids: string[] = []
  for (let made = 0; made < 4; made += 1) {
    const { body } = await server.post('/clusters', creation('Cluster'))
    ids.push(body.id)
  }
  const [ready = '', failed = '', deleted = '', removed = ''] = ids
  for (const adapter of ['dns', 'net']) {
    await server.post(`/clusters/${ready}/statuses`, report(adapter))
  }
  await server.post(
    `/clusters/${failed}/statuses`,
    report('dns', { conditions: [{ type: 'Available', status: 'False' }] }),
  )
  await server.patch(`/clusters/${failed}`, { spec: { size: 2 } })
  await server.post(`/clusters/${failed}/nodepools`, creation('NodePool'))
  await server.request('DELETE', `/clusters/${deleted}`)
  await server.request('DELETE', `/clusters/${removed}`)
  const forced = await server.post(`/clusters/${removed}/force-delete`, { reason: 'test' })
  expect(forced.status).toBe(204)
}

test('a new server reads stored counts and the log since then', async () => {
  await write()
  expect((await load()).isScan).toBe(true)
  await store()
  await write()
  const loaded = await load()
  expect(loaded.isScan).toBe(false)
  expect(loaded.counts).toEqual(await scan())
  await store()
  const [row] = await stored()
  expect(row?.['revision']).toBe(String(loaded.revision))
})

test('counts are not written again without changes, or soon after another server', async () => {
  await store()
  const before = await stored()
  await store()
  expect(await stored()).toEqual(before)
  await write()
  await using database = openTestDatabase(server.databaseUrl)
  await updateStoredCounts({ database, registry }, { recentSeconds: 600 })
  expect(await stored()).toEqual(before)
})

test('more states than the maximum are not stored', async () => {
  await store()
  await write()
  await sequenced()
  const before = await stored()
  await using database = openTestDatabase(server.databaseUrl)
  const limits = { recentSeconds: 0, maxStates: 1 }
  expect(await updateStoredCounts({ database, registry }, limits)).toBe(false)
  expect(await stored()).toEqual(before)
  expect(await updateStoredCounts({ database, registry }, { recentSeconds: 0 })).toBe(true)
  expect(await stored()).not.toEqual(before)
})

test.each([
  ['the totals contradict the counts', 'delete from resources where true'],
  ['the log was compacted since then', 'update head set compacted = revision'],
  ['a new epoch has begun', `update head set epoch = 'other'`],
])('resources are read again if %s', async (_, statement) => {
  await store()
  await write()
  await sequenced()
  expect((await load()).isScan).toBe(false)
  if (statement.startsWith('delete')) {
    // Rows change without triggers, as in a restore of a part of the table.
    await queryDatabase(
      server,
      `begin; set local session_replication_role = replica; ${statement};
      commit; select recount_resources()`,
    )
  } else await queryDatabase(server, statement)
  const loaded = await load()
  expect(loaded.isScan).toBe(true)
  expect(loaded.counts).toEqual(await scan())
})

test('servers with other adapters count separately', () => {
  const kinds = registry.kinds.map((kind) => ({ ...kind, requiredAdapters: ['other'] }))
  expect(fingerprintOfCounts({ ...registry, kinds })).not.toBe(fingerprintOfCounts(registry))
})
