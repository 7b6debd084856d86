import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpFleetMembers } from './http-fleet-members.ts'
import type { FleetMembersOf } from '../../../src/fleets/members/fleet-members.ts'
import { FLEET_CLIENTS } from '../../planes/controllers/fleet-clients.ts'
import { startTcpProxy } from '../../storage/tcp-proxy.ts'
import { createTestDatabase } from '../../support/test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type FleetFixture, NO_ADAPTERS, openFleets, WAIT } from './fleet-fixture.ts'
import { inProcess, runController } from './run-controller.ts'

const DELETE = { scaleDownPolicy: 'Delete', deletionPolicy: 'Delete' }

let server: TestServer
let fleets: FleetFixture

beforeAll(async () => {
  server = await startTestServer({ env: NO_ADAPTERS })
  fleets = openFleets(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

/** The names of a complete fleet with a prefix. */
function expectedNames(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${String(index).padStart(4, '0')}`)
}

describe.each(FLEET_CLIENTS)('a controller $name', ({ name: client, open }) => {
  const name = client === 'over HTTP' ? 'remote' : 'local'

  test('creates, scales and deletes a fleet', async () => {
    const fleet = open(server, ['root'])
    const remote: FleetMembersOf = (_root, fence) =>
      createHttpFleetMembers({ server: server.origin, userAgent: 'test' }, fence)
    const membersOf = client === 'over HTTP' ? remote : inProcess(server).membersOf
    await using controller = await runController({ fleet, membersOf })
    await fleets.create(name, { replicas: 5, ...DELETE })
    await fleets.untilReady(name, 5)
    await fleets.change(name, { replicas: 2 })
    await fleets.untilReady(name, 2)
    expect(await fleets.names(name)).toEqual(expectedNames(name, 2))
    await fleets.delete(name)
    await fleets.untilGone(name)
    expect(await fleets.names(name)).toEqual([])
    void controller
  })
})

test('crash in mid-batch: another controller completes the fleet', async () => {
  const first = await runController(inProcess(server), { onError: () => undefined })
  await fleets.create('crashed', { replicas: 1500, ...DELETE })
  await expect.poll(() => fleets.names('crashed'), WAIT).not.toEqual([])
  await first[Symbol.asyncDispose]()
  await using second = await runController(inProcess(server))
  await fleets.untilReady('crashed', 1500)
  expect(await fleets.names('crashed')).toEqual(expectedNames('crashed', 1500))
  void second
})

/** Members whose responses to changes are lost after the changes. */
function losingResponses(membersOf: FleetMembersOf, losses: number): FleetMembersOf {
  let left = losses
  const lose = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change
    if (left === 0) return result
    left -= 1
    throw new Error('the response was lost')
  }
  return (root, fence) => {
    const members = membersOf(root, fence)
    return {
      ...members,
      create: (...args) => lose(members.create(...args)),
      remove: (...args) => lose(members.remove(...args)),
    }
  }
}

test('a lost response to a creation or removal causes no second one', async () => {
  const { fleet, membersOf } = inProcess(server)
  const access = { fleet, membersOf: losingResponses(membersOf, 2) }
  await using controller = await runController(access, { onError: () => undefined })
  await fleets.create('unheard', { replicas: 4, ...DELETE })
  await fleets.untilReady('unheard', 4)
  const before = await fleets.members('unheard')
  await fleets.change('unheard', { replicas: 2 })
  await fleets.untilReady('unheard', 2)
  expect(await fleets.members('unheard')).toEqual(before.slice(0, 2))
  void controller
})

test('two controllers: no extra, duplicate or lost member', async () => {
  const ignore = { onError: () => undefined }
  await using first = await runController(inProcess(server), ignore)
  await using second = await runController(inProcess(server), ignore)
  await fleets.create('doubled', { replicas: 400, ...DELETE })
  await fleets.untilReady('doubled', 400)
  expect(await fleets.names('doubled')).toEqual(expectedNames('doubled', 400))
  for (const replicas of [100, 250, 10]) {
    await fleets.change('doubled', { replicas })
    await fleets.untilReady('doubled', replicas)
    expect(await fleets.names('doubled')).toEqual(expectedNames('doubled', replicas))
  }
  void [first, second]
})

test('a controller whose lease has passed on creates no member', async () => {
  const fence = { namespace: 'kube-system', name: 'no-such-lease', uid: 'none', number: 1 }
  const { fleet, membersOf } = inProcess(server)
  const access = { fleet: fleet.fencedBy(fence), membersOf }
  const members = membersOf('root', fence)
  const errors: unknown[] = []
  await using controller = await runController(access, { onError: (error) => errors.push(error) })
  await fleets.create('fenced', { replicas: 2 })
  const { uid = '', generation = 0 } = (await fleets.get('fenced')).metadata
  const create = members.create({ name: 'fenced', uid, generation }, ['fenced-0000'])
  await expect(create).rejects.toMatchObject({ code: 409 })
  expect(await fleets.names('fenced')).toEqual([])
  void controller
})

test('a controller that read an older generation changes no member', async () => {
  const members = inProcess(server).membersOf('root', null)
  const { metadata } = await fleets.create('outrun', { replicas: 2 })
  const ref = { name: 'outrun', uid: metadata.uid ?? '', generation: metadata.generation ?? 0 }
  await fleets.change('outrun', { replicas: 0 })
  await expect(members.create(ref, ['outrun-0000'])).rejects.toMatchObject({ code: 409 })
  expect(await fleets.names('outrun')).toEqual([])
})

test('database outage and recovery: the fleet converges without extra members', async () => {
  await using database = await createTestDatabase()
  await using proxy = await startTcpProxy(database.url)
  const env = { ...NO_ADAPTERS, ROLE: 'all' }
  await using own = await startTestServer({ databaseUrl: proxy.url, env })
  const ownFleets = openFleets(own.origin)
  await ownFleets.create('outage', { replicas: 1200, ...DELETE })
  await expect.poll(() => ownFleets.names('outage'), WAIT).not.toEqual([])
  proxy.set('refuse')
  await expect(ownFleets.get('outage')).rejects.toMatchObject({ code: 503 })
  proxy.set('pass')
  await expect.poll(() => ownFleets.exists('outage').catch(() => false), WAIT).toBe(true)
  await ownFleets.untilReady('outage', 1200)
  expect(await ownFleets.names('outage')).toEqual(expectedNames('outage', 1200))
})
