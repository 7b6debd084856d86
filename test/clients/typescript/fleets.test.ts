import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  Client,
  Conflict,
  FleetDegraded,
  FleetTimeout,
  Invalid,
  NotFound,
  WaitTimeout,
} from '../../../clients/typescript/src/index.ts'
import { newName } from '../../support/fixtures.ts'
import { proofSize } from '../../support/proof-size.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Proxy, startProxy } from './proxy.ts'

const NO_ADAPTERS = { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' }

let server: TestServer
let proxy: Proxy
let client: Client

beforeAll(async () => {
  server = await startTestServer({
    env: { ...NO_ADAPTERS, ROLE: 'all', LOG_LEVEL: 'error', WATCHES: 'heartbeat=1s' },
  })
  proxy = await startProxy(server.origin)
  client = new Client(proxy.origin)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** A fleet with its members, deleted at the end of the block. */
function ephemeral(replicas: number) {
  return client.ephemeralFleet({ replicas, deleteMembers: true })
}

test('creates a fleet, waits for its members and reads their states', async () => {
  await using fleet = await client.ephemeralFleet({
    name: newName(),
    replicas: 3,
    template: { spec: { game: 'chess' } },
    deleteMembers: true,
  })
  await fleet.waitUntilReady({ timeout: 60_000 })
  expect(fleet.status).toMatchObject({ replicas: 3, readyReplicas: 3, failedReplicas: 0 })
  const names = ['0000', '0001', '0002'].map((index) => `${fleet.name}-${index}`)
  expect(fleet.members.map(({ clusterID }) => clusterID)).toEqual(names)
  expect((await fleet.allMembers({ pageSize: 2 }).toArray()).length).toBe(3)
  const planes = await fleet.planes()
  const state = await planes[0]?.state({ resource: 'clusters' })
  expect(state?.byResource('clusters')?.items[0]).toMatchObject({
    name: names[0],
    spec: { game: 'chess' },
  })
})

test('getFleet, listFleets and refresh read fleets', async () => {
  await using fleet = await ephemeral(0)
  expect((await client.getFleet(fleet.name)).spec.replicas).toBe(0)
  const names = []
  for await (const { name } of client.listFleets({ pageSize: 1 })) names.push(name)
  expect(names).toContain(fleet.name)
  await expect(client.getFleet('unknown')).rejects.toThrow(NotFound)
})

test('yields members as they become ready', async () => {
  await using fleet = await ephemeral(5)
  const ready: string[] = []
  for await (const member of fleet) {
    ready.push(member.clusterID)
    expect(await member.plane.isReady()).toBe(true)
  }
  expect(new Set(ready).size).toBe(5)
})

test('iteration over members rejects when the remaining ones have failed', async () => {
  const name = newName()
  await client.clusters.create({ name: `${name}-0001` })
  await using fleet = await client.ephemeralFleet({ name, replicas: 2, deleteMembers: true })
  const ready: string[] = []
  const iterate = async () => {
    for await (const { clusterID } of fleet) ready.push(clusterID)
  }
  await expect(iterate()).rejects.toThrow(FleetDegraded)
  expect(ready).toEqual([`${name}-0000`])
})

test('scales', async () => {
  await using fleet = await ephemeral(1)
  await fleet.waitUntilReady()
  await fleet.scale(4)
  expect(fleet.spec.replicas).toBe(4)
  await fleet.waitUntilReady()
  expect(fleet.members).toHaveLength(4)
})

test('an invalid fleet is rejected with the field', async () => {
  const creation = client.createFleet({ name: newName(), replicas: -1 })
  await expect(creation).rejects.toThrow(Invalid)
  await expect(client.createFleet({ name: newName(), replicas: -1 })).rejects.toMatchObject({
    code: 'Invalid',
    errors: [{ field: 'spec.replicas' }],
  })
})

test('a create whose response is lost creates one fleet', async () => {
  const name = newName()
  proxy.fail('lose-response')
  const fleet = await client.createFleet({ name, replicas: 0 })
  expect(fleet.name).toBe(name)
  await expect(client.createFleet({ name, replicas: 0 })).rejects.toThrow(Conflict)
  proxy.fail('lose-response')
  await fleet.delete()
})

test('a wait that times out has the missing members', async () => {
  const name = newName()
  await using fleet = await client.ephemeralFleet({
    name,
    replicas: 2,
    names: [`${name}-a`, `${name}-b`],
    paused: true,
    deleteMembers: true,
  })
  const wait = fleet.waitUntilReady({ timeout: 300 })
  await expect(wait).rejects.toThrow(FleetTimeout)
})

test('a wait for a deleted fleet rejects before its timeout', async () => {
  const fleet = await client.createFleet({ name: newName(), replicas: 0 })
  await fleet.delete()
  await gone(fleet.name)
  await expect(fleet.waitUntilReady({ timeout: 60_000 })).rejects.toThrow(NotFound)
})

test('a name that another cluster has degrades the fleet', async () => {
  const name = newName()
  await client.clusters.create({ name: `${name}-0001` })
  await using fleet = await client.ephemeralFleet({ name, replicas: 2, deleteMembers: true })
  await expect(fleet.waitUntilReady({ timeout: 60_000 })).rejects.toMatchObject({
    name: 'FleetDegraded',
    failed: [{ clusterID: `${name}-0001`, phase: 'Failed' }],
  })
})

describe('ephemeral fleets', () => {
  test('leave their members unless deleteMembers is true', async () => {
    const name = newName()
    await client.ephemeralFleet({ name, replicas: 1 }, (fleet) => fleet.waitUntilReady())
    await gone(name)
    const { id } = await client.clusters.getByName(`${name}-0000`)
    await client.ephemeralFleet({ name, replicas: 1, deleteMembers: true }, async (fleet) => {
      await fleet.waitUntilReady()
      expect(await fleet.allMembers().toArray()).toMatchObject([{ uid: id }])
    })
    await client.clusters.waitForRemoval(id)
  })

  test.each([false, true])(
    'can have one name many times in a row, with deleteMembers %s',
    async (deleteMembers) => {
      const name = newName()
      for (let round = 0; round < proofSize(50); round += 1) {
        await client.ephemeralFleet({ name, replicas: 1, deleteMembers }, () => undefined)
        await expect(client.getFleet(name)).rejects.toThrow(NotFound)
      }
    },
  )

  test('wait for a fleet of their name that is being deleted, and for no other', async () => {
    const name = newName()
    const first = await client.createFleet({ name, replicas: 3 })
    await first.delete({ members: true })
    const second = await client.ephemeralFleet({ name, replicas: 1 })
    expect(second.spec.replicas).toBe(1)
    await expect(client.ephemeralFleet({ name, replicas: 1 })).rejects.toThrow(Conflict)
    await second[Symbol.asyncDispose]()
  })

  test('pause before they repeat a creation that found another fleet', async () => {
    await using failing = await startProxy(server.origin)
    failing.fail(...Array.from({ length: 1000 }, () => [409, 404]).flat())
    const options = { name: newName(), replicas: 0, timeout: 500 }
    await expect(new Client(failing.origin).ephemeralFleet(options)).rejects.toThrow(Conflict)
    const creations = failing.requests.filter((request) => request.startsWith('POST')).length
    expect(creations).toBeLessThanOrEqual(12)
  })

  test('have either names or a prefix of names', async () => {
    const both = { replicas: 1, names: ['one'], namePrefix: 'one-' }
    await expect(client.ephemeralFleet(both)).rejects.toThrow('either names or namePrefix')
    await expect(client.createFleet({ ...both, name: 'two' })).rejects.toThrow(TypeError)
  })

  test('wait no longer than their timeout', async () => {
    await using other = await startTestServer({
      env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]', ROLE: 'all', LOG_LEVEL: 'error' },
    })
    const options = {
      replicas: 1,
      readiness: 'Conditions',
      deleteMembers: true,
      timeout: 500,
    } as const
    const ended = new Client(other.origin).ephemeralFleet(options, async (fleet) => {
      await expect.poll(async () => (await fleet.refresh()).members.length).toBe(1)
    })
    await expect(ended).rejects.toThrow(WaitTimeout)
  })

  test('are deleted after an exception, which stays visible', async () => {
    const name = newName()
    const failure = new Error('the rollout failed')
    const use = () => Promise.reject(failure)
    const options = { name, replicas: 0, onDeleteError: () => undefined }
    await expect(client.ephemeralFleet(options, use)).rejects.toBe(failure)
    await gone(name)
  })

  test('report a failed deletion without hiding the exception of the block', async () => {
    const failure = new Error('the rollout failed')
    const errors: unknown[] = []
    const block = async () => {
      const once = new Client(proxy.origin, { retries: 0 })
      await using fleet = await once.ephemeralFleet({
        replicas: 0,
        onDeleteError: (error) => errors.push(error),
      })
      proxy.fail('refuse')
      expect(fleet.name).toMatch(/^ephemeral-/)
      throw failure
    }
    await expect(block()).rejects.toBe(failure)
    expect(errors).toMatchObject([{ name: 'Unavailable' }])
  })

  test('never delete a successor of their name', async () => {
    const name = newName()
    await using first = await client.ephemeralFleet({ name, replicas: 0 })
    await first.waitUntilReady()
    await first.delete()
    await first.waitUntilDeleted()
    await using second = await client.ephemeralFleet({ name, replicas: 0 })
    await first.refresh()
    await first.delete({ members: true })
    await first.deleteAtEnd()
    expect((await second.refresh()).object.metadata.deletionTimestamp).toBeUndefined()
  })

  test('report a conflict of their deletion unless the fleet is gone', async () => {
    await using fleet = await ephemeral(0)
    proxy.fail(409)
    await expect(fleet.delete()).rejects.toThrow(Conflict)
    await fleet.delete()
    await fleet.waitUntilDeleted()
    proxy.fail(409)
    await fleet.delete()
  })

  test('may be deleted twice', async () => {
    await using fleet = await ephemeral(1)
    await fleet.delete({ members: true })
    await fleet.delete({ members: true })
    await gone(fleet.name)
    await fleet.delete()
  })
})

describe('claims', () => {
  test('claims of many clients never share a member', async () => {
    await using fleet = await ephemeral(4)
    await fleet.waitUntilReady()
    const claims = await Promise.all(Array.from({ length: 4 }, () => fleet.claim()))
    expect(new Set(claims.map(({ uid }) => uid)).size).toBe(4)
    await expect(fleet.claim()).rejects.toThrow(Conflict)
    await Promise.all(claims.map((claim) => claim.release('Keep')))
    await using again = await fleet.claim({ clusterID: claims[0]?.clusterID })
    expect(again.uid).toBe(claims[0]?.uid)
    expect([claims[0]?.kept, again.kept]).toEqual([false, true])
    await again.release()
    await expect(fleet.recycle()).resolves.toEqual([])
    const clusterID = claims[1]?.clusterID
    await expect(fleet.recycle({ clusterID })).resolves.toEqual([clusterID])
    await using third = await fleet.claim({ clusterID, wait: 10_000 })
    expect(third.kept).toBe(false)
    await expect(fleet.recycle({ clusterID })).rejects.toThrow(Conflict)
  })

  test('a waiting claim gets the next released member', async () => {
    await using fleet = await ephemeral(1)
    await fleet.waitUntilReady()
    const first = await fleet.claim({ holder: 'first' })
    const waiting = fleet.claim({ holder: 'second', wait: 60_000, onRelease: 'Keep' })
    await first.release('Keep')
    await using second = await waiting
    expect(second).toMatchObject({ uid: first.uid, holder: 'second' })
    await first.release()
  })

  test('a claim renews its lease in the background', async () => {
    await using fleet = await ephemeral(1)
    await fleet.waitUntilReady()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await using claim = await fleet.claim({ ttlSeconds: 30 })
    const ends = new Set([claim.expiresTime])
    for (const renewals of [1, 2]) {
      vi.advanceTimersByTime(9_999)
      expect(ends).toContain(claim.expiresTime)
      vi.advanceTimersByTime(1)
      await expect.poll(() => ends.add(claim.expiresTime).size).toBe(renewals + 1)
    }
    expect(claim.signal.aborted).toBe(false)
  })

  test('its signal aborts when the lease is lost', async () => {
    await using fleet = await ephemeral(1)
    await fleet.waitUntilReady()
    await using claim = await fleet.claim({ ttlSeconds: 2 })
    await client.clusters.delete(claim.uid)
    await expect.poll(() => claim.signal.aborted).toBe(true)
  })

  test('its signal aborts at the end of the lease while the server stalls', async () => {
    await using fleet = await ephemeral(1)
    await fleet.waitUntilReady()
    await using stalling = await startProxy(server.origin)
    const holder = await new Client(stalling.origin).getFleet(fleet.name)
    const claim = await holder.claim({ ttlSeconds: 5 })
    stalling.fail(...Array.from({ length: 9 }, () => 'stall' as const))
    await expect.poll(() => claim.signal.aborted).toBe(true)
    expect(claim.signal.reason).toMatchObject({ code: 'LeaseEnded' })
    expect(stalling.requests.filter((one) => one.endsWith('/renew')).length).toBeLessThan(4)
  })

  test('withClaim releases after an exception', async () => {
    await using fleet = await ephemeral(1)
    await fleet.waitUntilReady()
    const failure = new Error('the step failed')
    const use = () => Promise.reject(failure)
    await expect(fleet.withClaim({ onRelease: 'Keep' }, use)).rejects.toBe(failure)
    await fleet.withClaim({ onRelease: 'Keep', wait: 60_000 }, ({ holder }) =>
      expect(holder).toMatch(/^sdk-/),
    )
  })

  test('a recycled member has its template again', async () => {
    await using fleet = await ephemeral(1)
    await fleet.waitUntilReady()
    const path = '/api/v1/namespaces/default/configmaps'
    await fleet.withClaim({}, async ({ plane }) => {
      const body = { metadata: { name: 'mine' } }
      await plane.request({ method: 'POST', path, body })
    })
    await fleet.withClaim({ wait: 60_000 }, async ({ plane }) => {
      await expect(plane.request({ method: 'GET', path: `${path}/mine` })).rejects.toThrow(NotFound)
    })
  })
})

async function gone(name: string): Promise<void> {
  await expect
    .poll(() => client.getFleet(name).catch((error: unknown) => error))
    .toBeInstanceOf(NotFound)
}
