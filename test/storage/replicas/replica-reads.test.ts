import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { startTestServer, type TestResponse, type TestServer } from '../../support/test-server.ts'
import { startDebianPostgres } from '../debian-postgres.ts'
import { type StreamingReplica, startStreamingReplica } from './streaming-replica.ts'

const primary = await startDebianPostgres()

describe.skipIf(primary === null)('a server with a replica', () => {
  const { url: databaseUrl, stop } = primary ?? { url: '', stop: () => Promise.resolve() }
  let replica: StreamingReplica
  let fresh: TestServer
  let stale: TestServer
  let names = 0

  beforeAll(async () => {
    // Creates the tables before the replica is copied.
    await using _ = await startTestServer({ databaseUrl })
    replica = await startStreamingReplica(databaseUrl)
    const env = { DATABASE_REPLICA_URLS: replica.url }
    const options = { databaseUrl, config: { replicaMaxLag: 300 } }
    fresh = await startTestServer({ ...options, env })
    stale = await startTestServer({
      ...options,
      env: { ...env, DATABASE_OPTIONS: 'replica-reads=stale' },
    })
  })
  beforeEach(async () => {
    await usable(fresh)
    await usable(stale)
  })
  afterEach(() => replica.run('select pg_wal_replay_resume()').catch(() => undefined))
  afterAll(async () => {
    await fresh[Symbol.asyncDispose]()
    await stale[Symbol.asyncDispose]()
    await replica[Symbol.asyncDispose]()
    await stop()
  })

  async function create(server: TestServer): Promise<TestResponse> {
    names += 1
    const body = { kind: 'Cluster', name: `replicated-${names}`, spec: {} }
    const created = await server.post('/clusters', body)
    expect(created.status, created.text).toBe(201)
    return created
  }

  /** The value of a metric of the only replica, whose name has the host. */
  async function metric(server: TestServer, name: string, label = ''): Promise<number> {
    const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
    const found = text
      .split('\n')
      .find((line) => line.startsWith(`flotilla_replica_${name}`) && line.includes(label))
    return Number(found?.split(' ').at(-1) ?? 0)
  }

  const served = (server: TestServer) => metric(server, 'reads_total', 'outcome="served"')
  const isUp = (server: TestServer) => metric(server, 'up')

  /**
   * Repeats a read until the replica serves it. On a busy machine, the replica is out of use while
   * it does not answer the probes in time.
   */
  async function fromReplica<T>(server: TestServer, read: () => Promise<T>): Promise<T> {
    for (;;) {
      const before = await served(server)
      const answer = await read()
      if ((await served(server)) === before + 1) return answer
    }
  }

  async function usable(server: TestServer): Promise<void> {
    await expect.poll(() => isUp(server)).toBe(1)
  }

  /** Waits until the replica has everything that the primary has. */
  async function replayed(): Promise<void> {
    const [admin, standby] = [new pg.Client(databaseUrl), new pg.Client(replica.url)]
    await Promise.all([admin.connect(), standby.connect()])
    const { rows } = await admin.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const { lsn } = must(rows[0], 'a position')
    const isReplayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done'
    await expect
      .poll(async () => (await standby.query<{ done: boolean }>(isReplayed, [lsn])).rows[0]?.done)
      .toBe(true)
    await Promise.all([admin.end(), standby.end()])
  }

  const namesOf = ({ body }: TestResponse): readonly string[] =>
    body.items.map(({ name }: { name: string }) => name)

  it('serves a list from the replica once it has reached the minimum version', async () => {
    const { body } = await create(fresh)
    const current = await fresh.get('/clusters?minResourceVersion=latest')
    const version = must(current.headers.get('x-resource-version'), 'a version')
    await replayed()
    const list = (query: string) => fromReplica(fresh, () => fresh.get(query))
    const listed = await list(`/clusters?minResourceVersion=${version}`)
    expect(listed.body).toEqual(current.body)
    expect(namesOf(listed)).toContain(body.name)
    const search = encodeURIComponent(`name='${body.name}'`)
    const found = await list(`/clusters?search=${search}&minResourceVersion=${version}`)
    expect(namesOf(found)).toEqual([body.name])
    const all = await list(`/resources?kind=Cluster&minResourceVersion=${version}`)
    expect(namesOf(all)).toContain(body.name)
  })

  it('accepts a write token as the minimum', async () => {
    const created = await create(fresh)
    const token = must(created.headers.get('x-write-token'), 'a token')
    await fresh.get(`/clusters?minResourceVersion=${token}`)
    await replayed()
    const listed = await fromReplica(fresh, () =>
      fresh.get(`/clusters?minResourceVersion=${token}`),
    )
    expect(namesOf(listed)).toContain(created.body.name)
  })

  it('reads from the primary what the replica has not replayed', async () => {
    const old = await create(fresh)
    await fresh.get('/clusters?minResourceVersion=latest')
    await replayed()
    await replica.run('select pg_wal_replay_pause()')
    const created = await create(fresh)
    const token = must(created.headers.get('x-write-token'), 'a token')
    expect(namesOf(await fresh.get(`/clusters?minResourceVersion=${token}`))).toContain(
      created.body.name,
    )
    expect(namesOf(await fresh.get('/clusters'))).toContain(created.body.name)
    expect((await fresh.get(`/clusters/${created.body.id}`)).status).toBe(200)
    // A list of the replica shows its state, and a resource version to watch from.
    const state = await fromReplica(stale, () => stale.get('/clusters'))
    const version = must(state.headers.get('x-resource-version'), 'a version')
    const listed = await fromReplica(fresh, () =>
      fresh.get(`/clusters?minResourceVersion=${version}`),
    )
    expect(namesOf(listed)).toContain(old.body.name)
    expect(namesOf(listed)).not.toContain(created.body.name)
    const listedVersion = must(listed.headers.get('x-resource-version'), 'a version')
    const events = await firstEvent(fresh, listedVersion)
    expect(events).toMatchObject({ type: 'ADDED', object: { name: created.body.name } })
  })

  it('serves reads without a minimum from the replica with replica-reads=stale', async () => {
    const old = await create(stale)
    await replayed()
    await replica.run('select pg_wal_replay_pause()')
    const created = await create(stale)
    await stale.patch(`/clusters/${old.body.id}`, { labels: { seen: 'no' } })
    const read = (path: string) => fromReplica(stale, () => stale.get(path))
    const listed = await read('/clusters')
    expect(namesOf(listed)).toContain(old.body.name)
    expect(namesOf(listed)).not.toContain(created.body.name)
    expect((await read(`/clusters/${old.body.id}`)).body.labels).toEqual(old.body.labels)
    // The primary is asked for a resource that the replica lacks.
    expect((await stale.get(`/clusters/${created.body.id}`)).status).toBe(200)
    expect(namesOf(await stale.get('/clusters?minResourceVersion=latest'))).toContain(
      created.body.name,
    )
  })

  it('leases current resources with replica-reads=stale', async () => {
    const { body } = await create(stale)
    await replayed()
    await replica.run('select pg_wal_replay_pause()')
    await stale.request('DELETE', `/clusters/${body.id}`)
    const read = await fromReplica(stale, () => stale.get(`/clusters/${body.id}`))
    expect(read.body.deleted_time).toBeUndefined()
    const search = `name = '${body.name}'`
    const lease = { kinds: ['Cluster'], search, waitSeconds: 20 }
    const leased = await stale.post('/adapters/dns/lease', lease)
    const deletion = { id: body.id, deleted_time: expect.any(String) }
    expect(leased.body.items).toMatchObject([{ reason: 'Deletion', resource: deletion }])
  })

  it('takes a replica out of use that is too far behind, until it has caught up', async () => {
    const env = { DATABASE_REPLICA_URLS: replica.url, DATABASE_OPTIONS: 'replica-reads=stale' }
    const config = { replicaMaxLag: 2 }
    await using strict = await startTestServer({ databaseUrl, env, config })
    await usable(strict)
    await replica.run('select pg_wal_replay_pause()')
    await expect
      .poll(async () => {
        await create(fresh)
        return isUp(strict)
      })
      .toBe(0)
    await expect.poll(() => metric(strict, 'lag_seconds')).toBeGreaterThan(2)
    const created = await create(strict)
    expect(namesOf(await strict.get('/clusters'))).toContain(created.body.name)
    await replica.run('select pg_wal_replay_resume()')
    await usable(strict)
  })

  it('answers without errors while the replica stalls', async () => {
    await replica.freeze()
    const requests = Array.from({ length: 10 }, () => stale.get('/clusters'))
    for (const { status, text } of await Promise.all(requests)) expect(status, text).toBe(200)
    await expect.poll(() => isUp(stale)).toBe(0)
    await replica.thaw()
    await usable(stale)
  })

  it('answers without errors while the replica crashes, and uses it again', async () => {
    const created = await create(stale)
    await replayed()
    const statuses = new Set<number>()
    const readers = Array.from({ length: 4 }, async () => {
      do {
        statuses.add((await stale.get('/clusters')).status)
        statuses.add((await stale.get(`/clusters/${created.body.id}`)).status)
      } while ((await isUp(stale)) === 1)
    })
    await replica.kill()
    await Promise.all(readers)
    expect([...statuses]).toEqual([200])
    await replica.start()
    await usable(stale)
    await fromReplica(stale, () => stale.get('/clusters'))
  })

  it('serves objects of planes with a minimum version, which may be 0', async () => {
    const created = await create(fresh)
    const maps = `${fresh.origin}/clusters/${created.body.id}/control-plane/api/v1/namespaces/default/configmaps`
    const write = async (name: string): Promise<string> => {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(maps, { method: 'POST', body, headers })
      expect(response.status).toBe(201)
      return (await objectOf(response)).metadata.resourceVersion
    }
    const listed = async (query: string): Promise<readonly string[]> => {
      const { items = [] } = await objectOf(await fetch(maps + query))
      return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('map-'))
    }
    const old = await write('map-old')
    await replayed()
    await replica.run('select pg_wal_replay_pause()')
    const written = await write('map-new')
    const stored = (query: string) => fromReplica(fresh, () => listed(query))
    expect(await stored('?resourceVersion=0')).toEqual(['map-old'])
    expect(await stored(`?resourceVersion=${old}&resourceVersionMatch=NotOlderThan`)).toEqual([
      'map-old',
    ])
    const before = await served(fresh)
    expect(await listed(`?resourceVersion=${written}&resourceVersionMatch=NotOlderThan`)).toEqual([
      'map-new',
      'map-old',
    ])
    expect(await listed('')).toEqual(['map-new', 'map-old'])
    expect(await served(fresh)).toBe(before)
  })

  it('never uses a replica of another epoch', async () => {
    await replayed()
    await replica.run('select pg_wal_replay_pause()')
    const admin = new pg.Client(databaseUrl)
    await admin.connect()
    await admin.query('update head set epoch = left(md5(gen_random_uuid()::text), 8)')
    await admin.end()
    await expect.poll(() => isUp(fresh)).toBe(0)
    await replica.run('select pg_wal_replay_resume()')
    await usable(fresh)
  })
})

interface PlaneObject {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
  readonly items?: readonly PlaneObject[]
}

async function objectOf(response: Response): Promise<PlaneObject> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test checks its content
  return (await response.json()) as PlaneObject
}

/** The first event of a watch from a resource version. */
async function firstEvent(server: TestServer, version: string): Promise<unknown> {
  const url = `${server.origin}/api/hyperfleet/v1/clusters?watch=true&resourceVersion=${version}`
  const response = await fetch(url)
  const reader = must(response.body, 'a body').getReader()
  let text = ''
  while (!text.includes('\n')) {
    const { value } = await reader.read()
    text += new TextDecoder().decode(value)
  }
  await reader.cancel()
  return JSON.parse(text.split('\n')[0] ?? '')
}
