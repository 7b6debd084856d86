import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type FleetFixture, NO_ADAPTERS, openFleets, WAIT } from './fleet-fixture.ts'

const DELETE = { scaleDownPolicy: 'Delete', deletionPolicy: 'Delete' }

let server: TestServer
let fleets: FleetFixture

beforeAll(async () => {
  server = await startTestServer({ env: { ...NO_ADAPTERS, ROLE: 'all' } })
  fleets = openFleets(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly body: any
}

async function post(fleet: string, verb: string, body: object): Promise<Answer> {
  const path = `/clusters/root/control-plane/apis/kplane.dev/v1/fleets/${fleet}/${verb}`
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(server.origin + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

test('claim races: 50 clients claim from 10 members, and no two share one', async () => {
  await fleets.create('raced', { replicas: 10 })
  await fleets.untilReady('raced', 10)
  const claims = await Promise.all(
    Array.from({ length: 50 }, (_, index) => post('raced', 'claim', { holder: `client-${index}` })),
  )
  const won = claims.filter(({ status }) => status < 300)
  expect(new Set(won.map(({ body }) => body.clusterID)).size).toBe(10)
  expect(won).toHaveLength(10)
  expect(claims.filter(({ status }) => status === 409)).toHaveLength(40)
  await expect
    .poll(() => fleets.status('raced'), WAIT)
    .toMatchObject({ claimedReplicas: 10, availableReplicas: 0 })
})

test('claimed members survive a scale-down until they are released', async () => {
  await fleets.create('busy', { replicas: 3, ...DELETE })
  await fleets.untilReady('busy', 3)
  const { body: claim } = await post('busy', 'claim', { holder: 'a', clusterID: 'busy-0002' })
  await fleets.change('busy', { replicas: 0 })
  await expect.poll(() => fleets.names('busy'), WAIT).toEqual(['busy-0002'])
  await expect.poll(() => fleets.condition('busy', 'ScalingDown'), WAIT).toBe('True MembersClaimed')
  const { clusterID, claimID } = claim
  await post('busy', 'release', { clusterID, claimID })
  await fleets.untilReady('busy', 0)
  expect(await fleets.names('busy')).toEqual([])
})

test('lease expiry in use: the member is recycled, and its claim cannot be renewed', async () => {
  await fleets.create('leased', { replicas: 1 })
  await fleets.untilReady('leased', 1)
  const { body: claim } = await post('leased', 'claim', { holder: 'slow', ttlSeconds: 600 })
  await expect
    .poll(() => fleets.status('leased'), WAIT)
    .toMatchObject({ claimedReplicas: 1, firstClaimTime: expect.any(String) })
  const { clusterID, claimID } = claim
  await post('leased', 'renew', { clusterID, claimID, ttlSeconds: 1 })
  await expect
    .poll(() => fleets.status('leased'), WAIT)
    .toMatchObject({ claimedReplicas: 0, availableReplicas: 1 })
  const renewal = await post('leased', 'renew', { clusterID, claimID, ttlSeconds: 60 })
  expect(renewal.status).toBe(409)
  await expect
    .poll(() => fleets.events('leased'), WAIT)
    .toEqual(
      expect.arrayContaining([
        'ClaimsExpired: The claims of 1 member have expired',
        'MembersReset: Reset 1 member to the initial content',
      ]),
    )
  const again = await post('leased', 'claim', { holder: 'next' })
  expect(again.body.clusterID).toBe(clusterID)
})

test('minReady keeps unclaimed members in addition to the claimed ones', async () => {
  await fleets.create('warm', { replicas: 1, minReady: 2, ...DELETE })
  await fleets.untilReady('warm', 2)
  await post('warm', 'claim', { holder: 'a' })
  await fleets.untilReady('warm', 3)
  expect(await fleets.status('warm')).toMatchObject({ claimedReplicas: 1, availableReplicas: 2 })
})

test('a fleet that expires from Claimed starts its time with the first claim', async () => {
  const spec = { replicas: 1, ttlSeconds: 0, ttlFrom: 'Claimed', ...DELETE }
  await fleets.create('oneshot', spec)
  await fleets.untilReady('oneshot', 1)
  await post('oneshot', 'claim', { holder: 'a' })
  await fleets.untilGone('oneshot')
  expect(await fleets.names('oneshot')).toEqual([])
})

test.each(['Delete', 'Orphan'] as const)(
  'a deleted fleet with deletionPolicy %s does not wait for the reset of a released member',
  async (deletionPolicy) => {
    const name = `released-${deletionPolicy.toLowerCase()}`
    await fleets.create(name, { replicas: 1, deletionPolicy })
    await fleets.untilReady(name, 1)
    const { body: claim } = await post(name, 'claim', { holder: 'a' })
    // A paused fleet resets no member.
    await fleets.change(name, { paused: true })
    const { clusterID, claimID } = claim
    expect((await post(name, 'release', { clusterID, claimID })).status).toBeLessThan(300)
    await fleets.delete(name)
    await fleets.untilGone(name)
    expect((await fleets.names(name)).length).toBe(deletionPolicy === 'Delete' ? 0 : 1)
  },
)
