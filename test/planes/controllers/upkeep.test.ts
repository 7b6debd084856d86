import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObjectNotFound } from '../../../src/planes/controllers/client/api-failures.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { startEventExpiry } from '../../../src/planes/controllers/event-expiry/event-expiry.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startServiceAccountController } from '../../../src/planes/controllers/service-accounts/service-account-controller.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openPlane, type PlaneFixture } from './plane-fixture.ts'

const ACCOUNTS = { group: '', version: 'v1', plural: 'serviceaccounts' }
const EVENTS = { group: '', version: 'v1', plural: 'events' }

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

function contextOf({ fleet }: PlaneFixture) {
  return {
    fleet,
    timers: systemTimers,
    random: Math.random,
    onError: (error: unknown) => console.error(error),
  }
}

async function hasAccount(client: PlaneClient, namespace: string): Promise<boolean> {
  return client.get(ACCOUNTS, { namespace, name: 'default' }).then(
    () => true,
    (error: unknown) => {
      if (isObjectNotFound(error, 'default')) return false
      throw error
    },
  )
}

test('creates the default service account again after its deletion', async () => {
  const plane = await openPlane(server)
  await plane.createNamespace('team')
  // One deletion before the start, one after it.
  await plane.client.delete(ACCOUNTS, { namespace: 'team', name: 'default' })
  expect(await hasAccount(plane.client, 'team')).toBe(false)
  await using controller = await startServiceAccountController(contextOf(plane))
  await expect.poll(() => hasAccount(plane.client, 'team')).toBe(true)
  const before = await plane.client.get(ACCOUNTS, { namespace: 'default', name: 'default' })
  await plane.client.delete(ACCOUNTS, { namespace: 'default', name: 'default' })
  await expect.poll(() => hasAccount(plane.client, 'default')).toBe(true)
  const after = await plane.client.get(ACCOUNTS, { namespace: 'default', name: 'default' })
  expect(after.metadata.uid).not.toBe(before.metadata.uid)
  void controller
})

test('deletes events an hour after they last occurred', async () => {
  const plane = await openPlane(server)
  const now = Date.now()
  const event = (name: string, lastTimestamp: Date) =>
    plane.client.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'default', name },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
      reason: 'Tested',
      message: 'a test',
      type: 'Normal',
      lastTimestamp: `${lastTimestamp.toISOString().slice(0, 19)}Z`,
    })
  await event('old', new Date(now))
  await event('repeated', new Date(now + 5_400_000))
  const inTwoHours = { ...systemTimers, clock: () => new Date(now + 7_200_000) }
  await using expiry = await startEventExpiry({ ...contextOf(plane), timers: inTwoHours })
  const names = async () => {
    const found: unknown[] = []
    for await (const page of plane.client.pages(EVENTS)) {
      found.push(...page.items.map(({ metadata }) => metadata.name))
    }
    return found
  }
  await expect.poll(names).toEqual(['repeated'])
  void expiry
})
