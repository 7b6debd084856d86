import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLifetimeController } from '../../../src/sandboxes/controllers/sandbox-lifetimes/lifetime-controller.ts'
import { type ManualTimers, manualTimers } from '../../support/manual-timers.ts'
import { type EndpointFixture, startEndpointFixture } from '../endpoints/endpoint-fixture.ts'

const START = new Date('2026-11-22T12:00:00Z')
const EVENTS = '/api/v1/namespaces/default/events'

let fixture: EndpointFixture

beforeAll(async () => {
  fixture = await startEndpointFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

function startController(timers: ManualTimers): Promise<AsyncDisposable> {
  return startLifetimeController({
    fleet: fixture.server.planes.client(),
    readState: (uid) => fixture.records.readState(uid),
    timers,
    random: () => 0.5,
    onError: (error) => console.error(error),
  })
}

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000).toISOString()

/** Reports a condition, as the engine does. */
async function report(name: string, type: string, seconds: number): Promise<void> {
  const condition = { type, status: 'True', reason: 'Test', message: '' }
  const lastTransitionTime = at(seconds).replace('.000Z', 'Z')
  const { status } = await fixture.api.patchStatus(fixture.path(name), {
    conditions: [{ ...condition, lastTransitionTime }],
  })
  expect(status).toBe(200)
}

const modeOf = async (name: string) =>
  (await fixture.api.getSandbox(name)).body.spec?.operatingMode ?? 'deleted'

const reasonsOf = async (name: string): Promise<readonly string[]> => {
  const { items } = (await fixture.api.call('GET', EVENTS)).body
  return items
    .filter((event: { involvedObject: { name: string } }) => event.involvedObject.name === name)
    .map(({ reason }: { reason: string }) => reason)
}

/** Lets the controller see all changes, then checks the mode again after the next turn. */
async function settle(timers: ManualTimers, name: string, mode: string): Promise<void> {
  await expect
    .poll(async () => {
      await timers.advance(0)
      return modeOf(name)
    })
    .toBe(mode)
}

test('a sandbox with the policy Delete is deleted at its shutdown time, also after a restart', async () => {
  const timers = manualTimers(START)
  const spec = { shutdownTime: at(60).replace('.000Z', 'Z'), shutdownPolicy: 'Delete' }
  await fixture.api.createSandbox('expires', spec)
  await fixture.api.createSandbox('retained', { ...spec, shutdownPolicy: 'Retain' })
  {
    await using _first = await startController(timers)
    await timers.advance(30_000)
    expect(await modeOf('expires')).toBe('Running')
  }
  await timers.advance(60_000)
  expect(await modeOf('expires')).toBe('Running')
  await using _second = await startController(timers)
  await settle(timers, 'expires', 'deleted')
  expect(await modeOf('retained')).toBe('Running')
  // The event follows the change.
  await expect.poll(() => reasonsOf('expires')).toEqual(['SandboxExpired'])
})

test('an idle sandbox is suspended; activity delays it; a long suspension deletes it', async () => {
  const timers = manualTimers(START)
  const uid = await fixture.run('idles', {
    autoSuspend: { idleSeconds: 60, suspendedTtlSeconds: 600 },
  })
  await report('idles', 'Ready', 0)
  await using _controller = await startController(timers)
  await timers.advance(59_000)
  expect(await modeOf('idles')).toBe('Running')
  await fixture.records.recordActivity(uid, new Date(at(59)))
  await timers.advance(30_000)
  expect(await modeOf('idles')).toBe('Running')
  await expect
    .poll(async () => {
      await timers.advance(10_000)
      return modeOf('idles')
    })
    .toBe('Suspended')
  expect(timers.clock().getTime()).toBeGreaterThanOrEqual(Date.parse(at(119)))
  await expect.poll(() => reasonsOf('idles')).toEqual(['AutoSuspended'])
  const suspendedAt = (timers.clock().getTime() - START.getTime()) / 1000
  await report('idles', 'Suspended', suspendedAt)
  await expect
    .poll(async () => {
      await timers.advance(60_000)
      return modeOf('idles')
    })
    .toBe('deleted')
  expect(timers.clock().getTime()).toBeGreaterThanOrEqual(Date.parse(at(suspendedAt + 600)))
})
