import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockObject } from '../../storage/row-lock.ts'
import { startTcpProxy } from '../../storage/tcp-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { must } from '../../../src/lib/assert.ts'
import { fleetApi } from '../fleet-api.ts'
import { createFleet, type TestFleet } from './member-fixtures.ts'

let database: TestDatabase
let server: TestServer
let other: TestServer

const env = { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' }

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTestServer({ databaseUrl: database.url, env })
  other = await startTestServer({ databaseUrl: database.url, env })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function warm(name: string, spec: object): Promise<TestFleet> {
  const fleet = await createFleet(server, name, { scaleDownPolicy: 'Delete', ...spec })
  await fleet.converge()
  return fleet
}

interface Claimed {
  readonly clusterID: string
  readonly claimID: string
  readonly uid: string
}

/** Claims on either server; null if nothing was free. */
async function claim(fleet: TestFleet, index: number): Promise<Claimed | null> {
  const { call } = fleetApi(index % 2 === 0 ? server.origin : other.origin)
  const path = `/apis/kplane.dev/v1/fleets/${fleet.name}/claim`
  const { status, body } = await call('POST', path, { holder: `client-${index}` })
  expect([200, 409]).toContain(status)
  return status === 200 ? body : null
}

it('clients that claim and release while members are reset never share one', async () => {
  const fleet = await warm('churn', { replicas: 5 })
  const held = new Set<string>()
  const client = async (index: number): Promise<void> => {
    for (let claims = 0; claims < 3;) {
      const claimed = await claim(fleet, index)
      await sleep(10)
      if (claimed === null) continue
      const { clusterID, claimID } = claimed
      expect(held.has(clusterID)).toBe(false)
      held.add(clusterID)
      claims += 1
      await sleep(10)
      held.delete(clusterID)
      expect((await fleet.post('release', { clusterID, claimID })).status).toBe(200)
    }
  }
  const done = new AbortController()
  const controller = async (): Promise<void> => {
    while (!done.signal.aborted) await fleet.converge()
  }
  const controlled = controller()
  await Promise.all(Array.from({ length: 8 }, (_, index) => client(index))).finally(() => {
    done.abort()
  })
  await controlled
  expect((await fleet.converge()).counts).toMatchObject({ members: 5, available: 5, claimed: 0 })
})

it('a member that is deleted while it is claimed is replaced', async () => {
  const fleet = await warm('cut', { replicas: 4 })
  const { members } = await fleet.compare()
  const [claims] = await Promise.all([
    Promise.all(Array.from({ length: 4 }, (_, index) => claim(fleet, index))),
    ...members.map(({ uid }) => server.request('DELETE', `/clusters/${must(uid, 'an id')}`)),
  ])
  const lost = claims.flatMap((claimed) => claimed ?? [])
  expect((await fleet.converge()).counts).toMatchObject({ members: 4, available: 4, claimed: 0 })
  for (const { clusterID, claimID } of lost) {
    expect((await fleet.post('renew', { clusterID, claimID })).status).toBe(409)
    expect((await fleet.post('release', { clusterID, claimID })).status).toBe(200)
  }
})

it('two controllers that create the same members create each once', async () => {
  const fleet = await createFleet(server, 'twice', { replicas: 40 })
  const second = must(other.planes.membersOf, 'fleets')('root', null)
  const ref = await fleet.ref()
  const { missing } = await fleet.compare()
  const results = await Promise.all([
    fleet.members.create(ref, missing),
    second.create(ref, missing),
  ])
  const created = results.flat().filter(({ result }) => result === 'created')
  expect(created).toHaveLength(40)
  expect((await fleet.compare()).counts).toMatchObject({ members: 40, failed: 0 })
})

it('continues after an outage of the database', async () => {
  await using proxy = await startTcpProxy(database.url)
  await using proxied = await startTestServer({ databaseUrl: proxy.url, env })
  const fleet = await createFleet(proxied, 'outage', { replicas: 200 })
  const ref = await fleet.ref()
  const { missing } = await fleet.compare()
  const cut = fleet.members.create(ref, missing).catch(() => null)
  proxy.set('refuse')
  await cut
  const failed = await fleet.post('claim', { holder: 'a' })
  expect(failed.status).toBe(503)
  proxy.set('pass')
  await expect.poll(async () => (await fleet.post('claim', { holder: 'a' })).status).not.toBe(503)
  const { counts } = await fleet.converge()
  expect(counts.members).toBe(200)
})

it('a late reset does not release a member whose cluster has changed since', async () => {
  const fleet = await warm('late', { replicas: 1, template: { spec: { size: 1 } } })
  const held = must(await claim(fleet, 0), 'a member')
  expect((await fleet.post('release', held)).status).toBe(200)
  await using lock = await lockObject(database.url, 'fleets.kplane.dev', 'late')
  const reset = fleet.members.reset(await fleet.ref(), [held.uid])
  await lock.awaited()
  const changed = await server.request('PATCH', `/clusters/${held.uid}`, { spec: { size: 2 } })
  expect(changed.status).toBe(200)
  await lock[Symbol.asyncDispose]()
  await reset
  expect(await fleet.compare()).toMatchObject({ recycling: [held.uid], counts: { available: 0 } })
  expect((await fleet.converge()).counts).toMatchObject({ available: 1 })
  expect((await server.get(`/clusters/${held.uid}`)).body.spec).toEqual({ size: 1 })
})
