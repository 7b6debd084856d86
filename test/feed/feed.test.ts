import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compact } from '../../src/store/feed/compact.ts'
import { Broadcaster } from '../../src/store/feed/broadcaster.ts'
import type { Change } from '../../src/store/model/change.ts'
import { readChanges, readHead } from '../../src/store/changes/read-changes.ts'
import { availableReport } from '../statuses/available-report.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { catchUp } from './catch-up.ts'
import { type OpenFeed, openFeed } from './open-feed.ts'

let server: TestServer
let open: OpenFeed
let client: pg.Client
let told: Change[]
let lost = 0
let subscription: Disposable

beforeAll(async () => {
  server = await startTestServer()
  open = await openFeed(server.databaseUrl)
  client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await open[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await settled()
  told = []
  lost = 0
  subscription = open.feed.broadcaster.subscribe({
    onChanges: (changes) => void told.push(...changes),
    onLost: () => void (lost += 1),
  })
  return () => subscription[Symbol.dispose]()
})

/** Resolves when every committed change has been received. */
async function settled(): Promise<void> {
  await catchUp(open.feed)
}

/** The received changes, in short form. */
async function summary(): Promise<readonly string[]> {
  await settled()
  return told.map((change) =>
    change.subject === 'resource'
      ? `${change.type} ${change.resource.kind} ${change.resource.name} v${change.resource.version}`
      : `${change.type} report of ${change.status.adapter} r${change.rowVersion}`,
  )
}

async function createCluster(name: string): Promise<string> {
  const body = { kind: 'Cluster', name, spec: { region: 'a' }, labels: { team: 'x' } }
  const answer = await server.post('/clusters', body)
  expect(answer.status).toBe(201)
  return answer.body.id
}

describe('the feed', () => {
  it('has a create, a report with the changed conditions, and a patch', async () => {
    const id = await createCluster('life')
    await server.post(`/clusters/${id}/statuses`, availableReport('dns', 1))
    await server.patch(`/clusters/${id}`, { labels: { team: 'y' } })
    const lines = await summary()
    expect(lines[0]).toBe('ADDED Cluster life v1')
    expect(lines.slice(1, 3).toSorted()).toEqual([
      'ADDED report of dns r1',
      'MODIFIED Cluster life v2',
    ])
    expect(lines.slice(3)).toEqual(['MODIFIED Cluster life v3'])
    const last = told.at(-1)
    expect(last).toMatchObject({
      resource: { id, labels: '{"team": "y"}', spec: '{"region": "a"}' },
      before: { labels: '{"team": "x"}', spec: '{"region": "a"}', generation: 1 },
    })
  })

  it('omits heartbeats, and has every other change of a report', async () => {
    const id = await createCluster('heart')
    const path = `/clusters/${id}/statuses`
    await server.post(path, { ...availableReport('dns', 1), data: { zone: 1 } })
    await settled()
    told.length = 0
    const beat = { ...availableReport('dns', 1), observed_time: new Date().toISOString() }
    await server.post(path, { ...beat, data: { zone: 1 } })
    expect(await summary()).toEqual([])
    await server.post(path, { ...beat, data: { zone: 2 } })
    expect(await summary()).toEqual(['MODIFIED report of dns r3'])
    expect(told[0]).toMatchObject({ status: { data: { zone: 2 } }, observedGenerationBefore: 1 })
  })

  it('omits dry runs and rejected requests', async () => {
    await createCluster('once')
    await settled()
    told.length = 0
    const body = { kind: 'Cluster', name: 'dry', spec: {} }
    expect((await server.post('/clusters?dryRun=All', body)).status).toBe(201)
    expect((await server.post('/clusters', { ...body, name: 'once' })).status).toBe(409)
    expect(await summary()).toEqual([])
  })

  it('has the removal of a resource with its children and their reports', async () => {
    const id = await createCluster('end')
    const pool = await server.post(`/clusters/${id}/nodepools`, {
      kind: 'NodePool',
      name: 'pool',
      spec: { replicas: 1 },
    })
    await server.post(`/nodepools/${pool.body.id}/statuses`, availableReport('dns', 1))
    await server.request('DELETE', `/clusters/${id}`)
    await settled()
    told.length = 0
    const forced = { reason: 'the test is over' }
    expect((await server.post(`/clusters/${id}/force-delete`, forced)).status).toBe(204)
    expect([...(await summary())].sort()).toEqual([
      'DELETED Cluster end v3',
      'DELETED NodePool pool v4',
      'DELETED report of dns r2',
    ])
  })
})

describe('a change of conditions alone', () => {
  /** Creates, reports and patches, without a reader. */
  async function history(name: string): Promise<{ id: string; from: bigint }> {
    await settled()
    const from = open.feed.broadcaster.resourceVersion.revision
    const id = await createCluster(name)
    const path = `/clusters/${id}`
    await server.post(`${path}/statuses`, availableReport('dns', 1))
    await server.patch(path, { spec: { region: 'b' } })
    await server.post(`${path}/statuses`, availableReport('dns', 2))
    await server.patch(path, { labels: { team: 'y' } })
    await server.post(`${path}/statuses`, availableReport('dns', 2, 'False'))
    return { id, from }
  }

  async function declared(from: bigint): Promise<readonly string[]> {
    const { entries: changes } = await readChanges(open.database, from, 1000)
    return changes.flatMap((change) =>
      change.subject === 'resource'
        ? [`v${change.resource.version} ${change.resource.spec} ${change.resource.labels}`]
        : [],
    )
  }

  const HISTORY = [
    'v1 {"region": "a"} {"team": "x"}',
    'v2 {"region": "a"} {"team": "x"}',
    'v3 {"region": "b"} {"team": "x"}',
    'v4 {"region": "b"} {"team": "x"}',
    'v5 {"region": "b"} {"team": "y"}',
    'v6 {"region": "b"} {"team": "y"}',
  ]

  it('has the spec and the labels at its revision', async () => {
    const { from } = await history('declared')
    await settled()
    expect(await declared(from)).toEqual(HISTORY)
  })

  it('has them while the next change of them is still in the outbox', async () => {
    const { id, from } = await history('in-outbox')
    await settled()
    await client.query('begin')
    // The lock of the sequencer.
    await client.query('select pg_advisory_xact_lock(7305188022)')
    await server.patch(`/clusters/${id}`, { spec: { region: 'c' }, labels: { team: 'z' } })
    await server.patch(`/clusters/${id}`, { spec: { region: 'd' } })
    expect(await declared(from)).toEqual(HISTORY)
    await client.query('commit')
  })

  it('has them after the resource is removed', async () => {
    const { id, from } = await history('gone')
    await server.request('DELETE', `/clusters/${id}`)
    await server.post(`/clusters/${id}/force-delete`, { reason: 'the test is over' })
    await settled()
    const lines = await declared(from)
    expect(lines.slice(0, HISTORY.length)).toEqual(HISTORY)
    expect(lines.slice(HISTORY.length)).toEqual([
      'v7 {"region": "b"} {"team": "y"}',
      'v8 {"region": "b"} {"team": "y"}',
    ])
  })
})

describe('a resource version', () => {
  it('is followed from the log if the ring does not reach back', async () => {
    const { broadcaster } = open.feed
    const from = broadcaster.resourceVersion
    await createCluster('from-log')
    await settled()
    const late = await openFeed(server.databaseUrl)
    const followed: Change[] = []
    const following = await late.feed.broadcaster.follow(from, {
      onChanges: (changes) => void followed.push(...changes),
      onLost: () => undefined,
      ready: async () => undefined,
    })
    following[Symbol.dispose]()
    await late[Symbol.asyncDispose]()
    expect(followed).toEqual(told)
    expect(followed.length).toBeGreaterThan(0)
  })

  it('is followed by a process that has not read the log to its end', async () => {
    const from = open.feed.broadcaster.resourceVersion
    await createCluster('known')
    await settled()
    const behind = await Broadcaster.start({ database: open.database, onError: () => undefined })
    await createCluster('unknown')
    await settled()
    const followed: Change[] = []
    const following = await behind.follow(from, {
      onChanges: (changes) => void followed.push(...changes),
      onLost: () => undefined,
      ready: async () => undefined,
    })
    following[Symbol.dispose]()
    await behind[Symbol.asyncDispose]()
    expect(followed).toEqual(told)
  })

  it.each([
    ['of another epoch', { epoch: '00000000', revision: 0n }],
    ['that has not been reached', { epoch: null, revision: 10n ** 12n }],
  ])('%s is rejected', async (_case, { epoch, revision }) => {
    const { broadcaster } = open.feed
    const token = { epoch: epoch ?? broadcaster.resourceVersion.epoch, revision }
    const follower = {
      onChanges: () => undefined,
      onLost: () => undefined,
      ready: async () => undefined,
    }
    await expect(broadcaster.follow(token, follower)).rejects.toMatchObject({ reason: 'expired' })
  })

  it('is rejected after the next changes are compacted', async () => {
    const late = await openFeed(server.databaseUrl)
    const from = { ...open.feed.broadcaster.resourceVersion, revision: 0n }
    const follower = {
      onChanges: () => undefined,
      onLost: () => undefined,
      ready: async () => undefined,
    }
    const before = await late.feed.broadcaster.follow(from, follower)
    before[Symbol.dispose]()
    const { revision } = await readHead(open.database)
    await allowCompaction()
    await compact(open.database, { seconds: 3600, changes: 3 })
    expect(await readHead(open.database)).toMatchObject({ compacted: revision - 3n })
    await expect(late.feed.broadcaster.follow(from, follower)).rejects.toMatchObject({
      reason: 'expired',
    })
    await late[Symbol.asyncDispose]()
  })
})

/** Ends the grace period of the last compaction. */
async function allowCompaction(): Promise<void> {
  await client.query(`update head set compacted_time = now() - interval '1 minute'`)
}

describe('compaction', () => {
  it('keeps new changes, and drops old ones one round after it raises the boundary', async () => {
    for (const name of ['old-1', 'old-2', 'new-1']) await createCluster(name)
    await settled()
    const head = await readHead(open.database)
    const old = head.revision - 1n
    // Before the changes are old: the feed's own compaction may raise the boundary from then on.
    await allowCompaction()
    await client.query(
      `update changes set written_time = now() - interval '2 hours' where revision <= $1`,
      [old],
    )
    await compact(open.database, { seconds: 3600, changes: 1_000_000 })
    expect(await readHead(open.database)).toMatchObject({ compacted: old })
    expect(await oldestRevision()).toBeLessThan(old)
    await compact(open.database, { seconds: 3600, changes: 1_000_000 })
    expect(await oldestRevision()).toBeLessThan(old)
    await allowCompaction()
    await compact(open.database, { seconds: 3600, changes: 1_000_000 })
    expect(await oldestRevision()).toBe(head.revision)
  })

  async function oldestRevision(): Promise<bigint> {
    const { rows } = await client.query('select min(revision) as oldest from changes')
    return BigInt(rows[0].oldest)
  }
})

describe('a change of a process that died', () => {
  it('is moved by another process within seconds', async () => {
    await client.query(`
      insert into outbox (type, resource_id, kind, owner_id, name, version, generation,
        created_time, conditions, spec, labels, annotations, refs, updated_time, created_by,
        updated_by)
      values ('ADDED', 'orphan', 'Cluster', '', 'orphan', 1, 1, now(), '[]', '{}', '{}', '{}',
        '{}', now(), 'a', 'a')`)
    await expect
      .poll(() => told.map((change) => change.subject === 'resource' && change.resource.id))
      .toContain('orphan')
  })
})

describe('a copied database', () => {
  it('begins a new epoch, and ends subscriptions to the old one', async () => {
    const old = open.feed.broadcaster.resourceVersion
    await client.query(`update head set origin = 'elsewhere'`)
    const restarted = await openFeed(server.databaseUrl)
    expect(restarted.feed.broadcaster.resourceVersion.epoch).not.toBe(old.epoch)
    await restarted[Symbol.asyncDispose]()
    await createCluster('after-restore')
    await expect.poll(() => lost).toBe(1)
    expect(open.feed.broadcaster.resourceVersion.epoch).not.toBe(old.epoch)
  })
})
