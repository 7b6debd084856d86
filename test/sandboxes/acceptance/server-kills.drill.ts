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
const PATH = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const uids = new Map<string, string>()

/** The sandboxes whose operation of a kind is held, one at each step. */
const namesOf = (kind: string, steps: readonly string[]): readonly string[] =>
  steps.map((step) => `${kind}-${step}`.toLowerCase())

const STARTED = namesOf('Start', START_STEPS)
const SUSPENDED = namesOf('Suspend', SUSPEND_STEPS)
const RESUMED = namesOf('Resume', RESUME_STEPS)
const DELETED = namesOf('Delete', DELETE_STEPS)

async function hold(kind: string, steps: readonly string[]): Promise<void> {
  const names = namesOf(kind, steps)
  for (const [index, step] of steps.entries()) await held.hold(names[index] ?? '', kind, step)
}

/** Kills the server when this number of operations is held, and starts another one. */
async function kill(operations: number): Promise<void> {
  await held.waitForHeld(operations)
  const [server] = fixture.programs
  await fixture.kill(server as Program)
  await held.releaseDead()
  await fixture.start()
}

const setMode = (name: string, operatingMode: string) =>
  fixture.api().patchSandbox(name, { spec: { operatingMode } })

const ofState = (name: string, states: readonly string[]) =>
  [...fixture.reference.state.instances.values()].filter(
    ({ instance }) => instance.sandbox?.uid === uids.get(name) && states.includes(instance.state),
  )

const snapshotsOf = (name: string) =>
  [...fixture.reference.state.snapshots.values()].filter(
    ({ info }) => info.sandbox?.uid === uids.get(name),
  )

async function create(name: string): Promise<void> {
  const { body } = await fixture.api().createSandbox(name, HIBERNATES)
  uids.set(name, body.metadata.uid)
}

async function requireStarted(name: string): Promise<void> {
  await fixture.waitFor(name, 'Ready=True', 'Progressing=False/Complete')
  expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(1)
}

async function requireSuspended(name: string): Promise<void> {
  await fixture.waitFor(name, 'Suspended=True/PodTerminated', 'SnapshotReady=True/Created')
  expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(0)
  expect(snapshotsOf(name)).toHaveLength(1)
}

// A runtime has 16 operations at a time, so that two kills serve all 17.
test('kill -9 of the server at each step: Start and Suspend', async () => {
  for (const name of [...SUSPENDED, ...RESUMED, ...DELETED]) await create(name)
  for (const name of [...SUSPENDED, ...RESUMED, ...DELETED]) await requireStarted(name)
  await hold('Start', START_STEPS)
  await hold('Suspend', SUSPEND_STEPS)
  for (const name of STARTED) await create(name)
  for (const name of SUSPENDED) await setMode(name, 'Suspended')
  await kill(STARTED.length + SUSPENDED.length)
  for (const name of STARTED) await requireStarted(name)
  for (const name of SUSPENDED) await requireSuspended(name)
})

test('kill -9 of the server at each step: Resume and Delete', async () => {
  for (const name of RESUMED) {
    fixture.reference.state.files.set(uids.get(name) ?? '', new Map([['name', name]]))
  }
  for (const name of [...RESUMED, ...DELETED]) await setMode(name, 'Suspended')
  for (const name of [...RESUMED, ...DELETED]) await requireSuspended(name)
  await hold('Resume', RESUME_STEPS)
  await hold('Delete', DELETE_STEPS)
  for (const name of RESUMED) await setMode(name, 'Running')
  for (const name of DELETED) await fixture.api().call('DELETE', `${PATH}/${name}`)
  await kill(RESUMED.length + DELETED.length)
  for (const name of RESUMED) {
    await requireStarted(name)
    const { body } = await fixture.api().getSandbox(name)
    expect(body.status.boot).toBe('RESUME_FS')
    expect(fixture.reference.state.files.get(uids.get(name) ?? '')?.get('name')).toBe(name)
    expect(snapshotsOf(name)).toHaveLength(1)
  }
  for (const name of DELETED) {
    await expect.poll(async () => (await fixture.api().getSandbox(name)).status).toBe(404)
    expect(ofState(name, ['Running', 'Frozen'])).toHaveLength(0)
    await expect.poll(() => snapshotsOf(name).length).toBe(0)
  }
  // The rows are removed after the object.
  const rows = () =>
    held.pool.query('select name from sandbox_states where name = any($1)', [DELETED])
  await expect.poll(async () => (await rows()).rows).toEqual([])
})
