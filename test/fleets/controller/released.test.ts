import { afterAll, beforeAll, expect, test } from 'vitest'
import { FailedMembers } from '../../../src/fleets/controllers/failed-members.ts'
import type { FleetParts } from '../../../src/fleets/controllers/fleet-parts.ts'
import { createFleetRuns } from '../../../src/fleets/controllers/fleet-runs.ts'
import { resetReleased } from '../../../src/fleets/controllers/reconcile-fleet.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { systemTimers, type Timers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openFleet, type TestFleet } from '../members/member-fixtures.ts'
import { type FleetFixture, NO_ADAPTERS, openFleets, WAIT } from './fleet-fixture.ts'
import { inProcess, runController } from './run-controller.ts'

let server: TestServer
let fleets: FleetFixture

beforeAll(async () => {
  server = await startTestServer({ env: NO_ADAPTERS })
  fleets = openFleets(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Claims the only member of a fleet and releases it with Recycle. */
async function claimAndRelease({ post }: TestFleet): Promise<void> {
  const { body } = await post('claim', { holder: 'a' })
  const { clusterID, claimID } = body
  expect((await post('release', { clusterID, claimID })).status).toBe(200)
}

/** The shortest delay of a comparison. */
const COMPARISON_DELAY_MS = 250

test('resets a released member without a comparison of its fleet', async () => {
  let isStopped = false
  const timers: Timers = {
    ...systemTimers,
    // Each change is soon after the last comparison, so the next one is delayed.
    now: () => 0,
    schedule: (delayMs, callback) =>
      systemTimers.schedule(delayMs, () => {
        if (!isStopped || delayMs < COMPARISON_DELAY_MS) callback()
      }),
  }
  await using controller = await runController(inProcess(server), { timers })
  await fleets.create('uncompared', { replicas: 1 })
  await fleets.untilReady('uncompared', 1)
  isStopped = true
  const opened = openFleet(server, 'uncompared')
  await claimAndRelease(opened)
  await expect
    .poll(() => opened.compare(), WAIT)
    .toMatchObject({ recycling: [], counts: { available: 1 } })
  void controller
})

test('finds no member that was made from older content', async () => {
  await fleets.create('older', { replicas: 1 })
  const fleet = openFleet(server, 'older')
  await fleet.converge()
  await claimAndRelease(fleet)
  const { recycling } = await fleet.compare()
  expect(recycling).toHaveLength(1)
  expect(await fleet.members.findReleased('older')).toEqual(recycling)
  await fleet.patchSpec({ template: { labels: { newer: 'true' } } })
  expect(await fleet.members.findReleased('older')).toEqual([])
  expect((await fleet.compare()).recycling).toEqual(recycling)
})

/** Resets the released members of a fleet as the controller does. */
function resetReleasedOf(
  { name, members }: TestFleet,
  client: PlaneClient = server.planes.client().plane('root'),
): Promise<void> {
  const parts: FleetParts = {
    client,
    members,
    failed: new FailedMembers({ now: systemTimers.now, random: Math.random }),
    timers: systemTimers,
    onWritten: () => undefined,
    onError: (error) => {
      throw error
    },
  }
  return resetReleased(parts, name)
}

test('a paused fleet resets no released member', async () => {
  await fleets.create('paused', { replicas: 1 })
  const fleet = openFleet(server, 'paused')
  await fleet.converge()
  await fleet.patchSpec({ paused: true })
  await claimAndRelease(fleet)
  await resetReleasedOf(fleet)
  expect((await fleet.compare()).recycling).toHaveLength(1)
  await fleet.patchSpec({ paused: false })
  await resetReleasedOf(fleet)
  expect((await fleet.compare()).recycling).toEqual([])
})

test('leaves the members of a fleet that changes at the same time to the comparison', async () => {
  await fleets.create('changing', { replicas: 1 })
  const fleet = openFleet(server, 'changing')
  await fleet.converge()
  await claimAndRelease(fleet)
  const client = server.planes.client().plane('root')
  await resetReleasedOf(fleet, {
    ...client,
    get: async (...read) => {
      const object = await client.get(...read)
      await fleet.patchSpec({ replicas: 2 })
      return object
    },
  })
  expect((await fleet.compare()).recycling).toHaveLength(1)
})

test('a reset and a reconciliation of one fleet never run at the same time', async () => {
  const runs = createFleetRuns(() => 0)
  const steps: string[] = []
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const reset = runs.reset('rl', () => ended.then(() => void steps.push('reset')))
  const resetLater = (): void => void steps.push('later')
  const reconciled = runs.reconcile(
    'rl',
    async () => {
      await runs.reset('rl', async () => void steps.push('skipped'))
      steps.push('reconciled')
      return null
    },
    resetLater,
  )
  await runs.reconcile('other', () => Promise.resolve(null), resetLater)
  end()
  await Promise.all([reset, reconciled])
  expect(steps).toEqual(['reset', 'reconciled', 'later'])
})
