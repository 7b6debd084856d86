import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { createFleet } from './member-fixtures.ts'

let server: TestServer
let offsetMs = 0

beforeAll(async () => {
  server = await startTestServer({
    env: {
      HYPERFLEET_CLUSTER_ADAPTERS: '[]',
      HYPERFLEET_NODEPOOL_ADAPTERS: '[]',
    },
    config: { fleetMaxReplicas: 12 },
    clock: () => new Date(Date.now() + offsetMs),
  })
})
afterAll(() => server[Symbol.asyncDispose]())

async function warm(name: string, spec: object) {
  const fleet = await createFleet(server, name, { scaleDownPolicy: 'Delete', ...spec })
  await fleet.converge()
  return fleet
}

it('claims a ready member for a holder', async () => {
  const fleet = await warm('one', { replicas: 1 })
  const { status, body } = await fleet.post('claim', { holder: 'alice', ttlSeconds: 60 })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kind: 'FleetClaim',
    fleet: 'one',
    clusterID: 'one-0000',
    holder: 'alice',
    phase: 'Ready',
  })
  expect(Date.parse(body.expiresTime) - Date.parse(body.claimedTime)).toBe(60_000)
  const cluster = await server.get(`/clusters/${body.uid}`)
  expect(cluster.body.annotations).toEqual({ 'kplane.dev/claimed-by': 'alice' })
  const { counts, firstClaim } = await fleet.compare()
  expect(counts).toMatchObject({ claimed: 1, ready: 1, available: 0 })
  expect(firstClaim).toBe(body.claimedTime)
  const rejected = await fleet.post('claim', { holder: 'bob' })
  expect(rejected.status).toBe(409)
  expect(rejected.headers.get('Retry-After')).toBe('1')
  expect(rejected.body.details.retryAfterSeconds).toBe(1)
})

it('50 clients that claim from 10 members share none', async () => {
  const fleet = await warm('race', { replicas: 10 })
  const claims = await Promise.all(
    Array.from({ length: 50 }, (_, index) => fleet.post('claim', { holder: `client-${index}` })),
  )
  const won = claims.filter(({ status }) => status === 200).map(({ body }) => body.clusterID)
  expect(claims.filter(({ status }) => status === 409)).toHaveLength(40)
  expect(won).toHaveLength(10)
  expect(new Set(won).size).toBe(10)
})

it('claims by label and by name', async () => {
  const fleet = await warm('pick', { replicas: 3, template: { labels: { number: '${index}' } } })
  const claim = (body: object) => fleet.post('claim', { holder: 'a', ...body })
  expect((await claim({ labelSelector: 'number in (2,7)' })).body.clusterID).toBe('pick-0002')
  expect((await claim({ labelSelector: 'number=2' })).status).toBe(409)
  expect((await claim({ clusterID: 'pick-0001' })).body.clusterID).toBe('pick-0001')
  expect((await claim({ clusterID: 'pick-0001' })).status).toBe(409)
  expect((await claim({ clusterID: 'pick-0009' })).status).toBe(404)
  expect((await claim({ labelSelector: 'a in' })).status).toBe(400)
})

it('renews a lease until it has expired', async () => {
  const fleet = await warm('lease', { replicas: 1 })
  const { body } = await fleet.post('claim', { holder: 'a', ttlSeconds: 3600 })
  const { clusterID, claimID } = body
  offsetMs += 3_000_000
  const renewed = await fleet.post('renew', { clusterID, claimID })
  expect(renewed.status).toBe(200)
  expect(Date.parse(renewed.body.expiresTime)).toBeGreaterThan(Date.parse(body.expiresTime))
  offsetMs += 3_601_000
  expect((await fleet.compare()).expired).toBe(1)
  expect((await fleet.post('renew', { clusterID, claimID })).status).toBe(409)
  const { counts, recycling } = await fleet.converge()
  expect({ counts, recycling }).toMatchObject({ counts: { available: 1 }, recycling: [] })
  expect((await fleet.post('renew', { clusterID, claimID })).status).toBe(409)
  expect((await fleet.post('renew', { clusterID: 'lease-0009', claimID })).status).toBe(404)
})

it('resets a recycled member to its template', async () => {
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'world' } }
  const fleet = await warm('reset', {
    replicas: 1,
    template: {
      spec: { size: 1 },
      nodePools: [{ name: 'pool', spec: { a: 1 } }],
      objects: [{ ...manifest, data: { step: '0' } }],
    },
  })
  const { body } = await fleet.post('claim', { holder: 'a' })
  const { uid, clusterID, claimID } = body
  const maps = `/clusters/${uid}/control-plane/api/v1/namespaces/default/configmaps`
  await fleet.api.call('POST', maps, { ...manifest, metadata: { name: 'other' } })
  await fleet.api.call('PUT', `${maps}/world`, { ...manifest, data: { step: '9' } })
  await server.patch(`/clusters/${uid}`, { spec: { size: 7 } })
  const { body: pools } = await server.get(`/clusters/${uid}/nodepools`)
  await server.request('DELETE', `/clusters/${uid}/nodepools/${pools.items[0].id}`)
  expect((await fleet.post('release', { clusterID, claimID })).status).toBe(200)
  const released = await fleet.compare()
  expect(released.recycling).toEqual([uid])
  expect(released.members[0]).toMatchObject({ phase: 'Pending' })
  expect((await fleet.post('claim', { holder: 'b' })).status).toBe(409)
  expect((await fleet.converge()).counts.available).toBe(1)
  const { body: list } = await fleet.api.call('GET', maps)
  const names = list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
  expect(names).not.toContain('other')
  expect((await fleet.api.call('GET', `${maps}/world`)).body.data).toEqual({ step: '0' })
  expect((await server.get(`/clusters/${uid}`)).body).toMatchObject({ spec: { size: 1 } })
  const { body: again } = await server.get(`/clusters/${uid}/nodepools`)
  expect(again.items).toMatchObject([{ name: 'pool', spec: { a: 1 } }])
})

it.each(['Recycle', 'Delete', 'Keep'])('releases twice without an error: %s', async (policy) => {
  const fleet = await warm(`twice-${policy.toLowerCase()}`, { replicas: 1 })
  const { body } = await fleet.post('claim', { holder: 'a' })
  const { clusterID, claimID, uid } = body
  const policyJson = `{"then": "${policy}"}`
  const release = () => {
    return fleet.post('release', { clusterID, claimID, ...JSON.parse(policyJson) })
  }
  expect((await release()).status).toBe(200)
  expect((await release()).status).toBe(200)
  await fleet.converge()
  expect((await release()).status).toBe(200)
  const { members, counts } = await fleet.compare()
  expect(counts).toMatchObject({ members: 1, available: 1 })
  expect(members[0]?.uid === uid).toBe(policy !== 'Delete')
  expect(members[0]).not.toHaveProperty('claim')
})

it('resets a member although the new content is invalid for another one', async () => {
  const names = ['short', 'a-name-longer-than-node-pools-allow']
  const fleet = await warm('partly', { replicas: 2, names })
  await fleet.patchSpec({ template: { nodePools: [{ name: '${name}', spec: {} }] } })
  for (const clusterID of names) {
    const { body } = await fleet.post('claim', { holder: 'a', clusterID })
    expect((await fleet.post('release', { clusterID, claimID: body.claimID })).status).toBe(200)
  }
  const { recycling } = await fleet.compare()
  expect(recycling).toHaveLength(2)
  await fleet.members.reset(await fleet.ref(), recycling)
  const { members } = await fleet.compare()
  expect(members.map(({ phase }) => phase)).toEqual(['Ready', 'Pending'])
})

it('rejects the release of a claim that another one has replaced', async () => {
  const fleet = await warm('lost', { replicas: 1 })
  const first = (await fleet.post('claim', { holder: 'a', ttlSeconds: 1 })).body
  const { clusterID, claimID } = first
  offsetMs += 2000
  await fleet.converge()
  const second = (await fleet.post('claim', { holder: 'b' })).body
  expect(second.clusterID).toBe(clusterID)
  await fleet.post('release', { clusterID, claimID: second.claimID })
  await fleet.converge()
  const third = (await fleet.post('claim', { holder: 'c' })).body
  expect((await fleet.post('release', { clusterID, claimID })).status).toBe(409)
  expect((await fleet.post('release', { clusterID, claimID: 'nonsense' })).status).toBe(409)
  expect((await fleet.compare()).members[0]?.claim).toMatchObject({ claimID: third.claimID })
})

it('a claimed member is never removed', async () => {
  const fleet = await warm('safe', { replicas: 4 })
  const { body } = await fleet.post('claim', { holder: 'a', clusterID: 'safe-0003' })
  await fleet.patchSpec({ replicas: 1 })
  const { surplus } = await fleet.compare()
  expect(surplus.map(({ name }) => name)).toEqual(['safe-0002', 'safe-0001', 'safe-0000'])
  const removed = await fleet.members.remove(await fleet.ref(), [body.uid, 'absent'], 'Delete')
  expect(removed.map(({ result }) => result)).toEqual(['claimed', 'gone'])
  await fleet.converge()
  expect(await fleet.names()).toEqual(['safe-0003'])
})

it('claims and removals at the same time: no claimed member disappears', async () => {
  const fleet = await warm('fight', { replicas: 10 })
  await fleet.patchSpec({ replicas: 0 })
  const ref = await fleet.ref()
  const { surplus } = await fleet.compare()
  const ids = surplus.map(({ id }) => id)
  const [removals, ...claims] = await Promise.all([
    Promise.all(ids.map((id) => fleet.members.remove(ref, [id], 'Delete'))),
    ...Array.from({ length: 10 }, (_, index) => fleet.post('claim', { holder: `h${index}` })),
  ])
  const removed = removals.flat().filter(({ result }) => result === 'removed')
  const claimed = claims.filter(({ status }) => status === 200).map(({ body }) => body.uid)
  expect(claimed.filter((uid) => removed.some(({ id }) => id === uid))).toEqual([])
  const { members } = await fleet.compare()
  const alive = members.flatMap(({ uid }) => uid ?? [])
  expect(claimed.filter((uid) => !alive.includes(uid))).toEqual([])
})

it('keeps minReady members in addition to the claimed ones', async () => {
  const fleet = await warm('pool', { replicas: 1, minReady: 2 })
  expect((await fleet.compare()).wanted).toBe(2)
  await fleet.post('claim', { holder: 'a' })
  expect((await fleet.converge()).counts).toMatchObject({ members: 3, claimed: 1, available: 2 })
  expect(await fleet.names()).toEqual(['pool-0000', 'pool-0001', 'pool-0002'])
})

it('keeps no more members than a fleet may have for claims: minReady', async () => {
  const fleet = await warm('bounded', { replicas: 1, minReady: 10 })
  for (let claim = 0; claim < 4; claim += 1) {
    expect((await fleet.post('claim', { holder: 'a' })).status).toBe(200)
  }
  expect(await fleet.converge()).toMatchObject({ wanted: 12, counts: { members: 12, claimed: 4 } })
})

it('rejects selectors that are too long for a statement', async () => {
  const fleet = await warm('selected', { replicas: 1 })
  const labelSelector = Array.from({ length: 5000 }, (_, index) => `a${index}=b`).join(',')
  const { status, body } = await fleet.post('claim', { holder: 'a', labelSelector })
  expect(status).toBe(422)
  expect(body.details.causes).toMatchObject([{ field: 'labelSelector' }])
  const longest = 'a,'.repeat(2047).slice(0, -1)
  const found = await fleet.post('claim', { holder: 'a', labelSelector: longest })
  expect(found.status).toBe(409)
})

it('creates members for claims up to the limit: createOnEmpty', async () => {
  const fleet = await warm('demand', {
    replicas: 0,
    template: {
      labels: { tier: 'a' },
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seed' } }],
    },
  })
  const claim = (body: object = {}) =>
    fleet.post('claim', { holder: 'a', createOnEmpty: true, ...body })
  const first = await claim()
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({ clusterID: 'demand-0000', phase: 'Ready' })
  const maps = `/clusters/${first.body.uid}/control-plane/api/v1/namespaces/default/configmaps`
  expect((await fleet.api.call('GET', `${maps}/seed`)).status).toBe(200)
  expect((await claim({ labelSelector: 'tier=b' })).status).toBe(409)
  const more = await Promise.all(Array.from({ length: 15 }, () => claim()))
  const created = more.filter(({ status }) => status === 201)
  expect(created).toHaveLength(11)
  expect(new Set(created.map(({ body }) => body.clusterID)).size).toBe(11)
  expect(more.filter(({ status }) => status === 409)).toHaveLength(4)
  expect((await fleet.compare()).counts).toMatchObject({ members: 12, claimed: 12 })
})

it('rejects bad claims', async () => {
  const fleet = await warm('bad', { replicas: 1 })
  expect((await fleet.post('claim', {})).status).toBe(422)
  expect((await fleet.post('claim', { holder: 'a\u0000' })).status).toBe(422)
  expect((await fleet.post('claim', { holder: 'a', ttlSeconds: 0 })).status).toBe(422)
  expect((await fleet.post('claim', { holder: 'a', ttlSeconds: 1e12 })).status).toBe(422)
  expect((await fleet.post('claim', { holder: 'a', clusterID: 'x\u0000' })).status).toBe(422)
  expect((await fleet.compare()).counts.claimed).toBe(0)
  const path = '/apis/kplane.dev/v1/fleets/absent/claim'
  expect((await fleet.api.call('POST', path, { holder: 'a' })).status).toBe(404)
})

it('a fleet that is being deleted gives no claims', async () => {
  const fleet = await warm('closing', { replicas: 1 })
  await fleet.api.remove('closing')
  expect((await fleet.post('claim', { holder: 'a' })).status).toBe(409)
})
