import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Program } from '../../process/program.ts'
import { type HeldSteps, holdSteps } from '../support/held-steps.ts'
import { type ReferencePrograms, startReferencePrograms } from '../support/reference-program.ts'
import { HIBERNATES } from '../support/start-reference-fixture.ts'

let fixture: ReferencePrograms
let held: HeldSteps

beforeAll(async () => {
  fixture = await startReferencePrograms()
  held = await holdSteps(fixture.databaseUrl)
}, 120_000)

afterAll(async () => {
  await held[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const START_STEPS = ['Begun', 'Placed']
const SUSPEND_STEPS = [
  'Begun',
  'Hibernating',
  'Prepared',
  'Recorded',
  'Checkpointed',
  'Verified',
  'Committed',
  'Published',
]
const RESUME_STEPS = ['Begun', 'Resolved', 'Restored', 'Started']
const DELETE_STEPS = ['Begun', 'Terminated', 'Removed']
const uids = new Map<string, string>()

/** Holds one sandbox at each step, begins the operations, kills the server, and starts another. */
async function killAtEach(
  kind: string,
  steps: readonly string[],
  begin: (sandbox: string) => Promise<unknown>,
): Promise<void> {
  for (const step of steps) await held.hold(nameOf(step), kind, step)
  for (const step of steps) await begin(nameOf(step))
  await held.waitForHeld(steps.length)
  const [server] = fixture.programs
  await fixture.kill(server as Program)
  await held.releaseDead()
  await fixture.start()
}

const nameOf = (step: string): string => `at-${step.toLowerCase()}`

const ofState = (name: string, states: readonly string[]) =>
  [...fixture.reference.state.instances.values()].filter(
    ({ instance }) => instance.sandbox?.uid === uids.get(name) && states.includes(instance.state),
  )

const snapshotsOf = (name: string) =>
  [...fixture.reference.state.snapshots.values()].filter(
    ({ info }) => info.sandbox?.uid === uids.get(name),
  )

const ALL = [...new Set([...START_STEPS, ...SUSPEND_STEPS, ...RESUME_STEPS, ...DELETE_STEPS])]

test('kill -9 of the server at each step: Start', async () => {
  await killAtEach('Start', START_STEPS, async (name) => {
    await fixture.api().createSandbox(name, HIBERNATES)
  })
  for (const name of ALL.map(nameOf)) {
    if (!START_STEPS.map(nameOf).includes(name)) await fixture.api().createSandbox(name, HIBERNATES)
  }
  for (const name of ALL.map(nameOf)) {
    const { body } = await fixture.waitFor(name, 'Ready=True', 'Progressing=False/Complete')
    uids.set(name, body.metadata.uid)
    expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(1)
    fixture.reference.state.files.set(body.metadata.uid, new Map([['name', name]]))
  }
}, 180_000)

test('kill -9 of the server at each step: Suspend', async () => {
  await killAtEach('Suspend', SUSPEND_STEPS, (name) =>
    fixture.api().patchSandbox(name, { spec: { operatingMode: 'Suspended' } }),
  )
  for (const name of SUSPEND_STEPS.map(nameOf)) {
    await fixture.waitFor(name, 'Suspended=True/PodTerminated', 'SnapshotReady=True/Created')
    expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(0)
    expect(snapshotsOf(name)).toHaveLength(1)
  }
}, 180_000)

test('kill -9 of the server at each step: Resume', async () => {
  for (const name of RESUME_STEPS.map(nameOf)) {
    await fixture.api().patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
    await fixture.waitFor(name, 'Suspended=True/PodTerminated')
  }
  await killAtEach('Resume', RESUME_STEPS, (name) =>
    fixture.api().patchSandbox(name, { spec: { operatingMode: 'Running' } }),
  )
  for (const name of RESUME_STEPS.map(nameOf)) {
    const { body } = await fixture.waitFor(name, 'Ready=True', 'Progressing=False/Complete')
    expect(body.status.boot).toBe('RESUME_FS')
    expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(1)
    expect(fixture.reference.state.files.get(uids.get(name) ?? '')?.get('name')).toBe(name)
    expect(snapshotsOf(name)).toHaveLength(1)
  }
}, 180_000)

test('kill -9 of the server at each step: Delete', async () => {
  const path = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
  await killAtEach('Delete', DELETE_STEPS, (name) =>
    fixture.api().call('DELETE', `${path}/${name}`),
  )
  for (const name of DELETE_STEPS.map(nameOf)) {
    await expect
      .poll(async () => (await fixture.api().getSandbox(name)).status, { timeout: 60_000 })
      .toBe(404)
    expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(0)
    await expect.poll(() => snapshotsOf(name).length, { timeout: 60_000 }).toBe(0)
  }
  // The rows are removed after the object.
  const rows = () =>
    held.pool.query('select name from sandbox_states where name = any($1)', [
      DELETE_STEPS.map(nameOf),
    ])
  await expect.poll(async () => (await rows()).rows, { timeout: 60_000 }).toEqual([])
}, 180_000)
