import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxRecords } from '../../src/sandboxes/storage/sandbox-records.ts'
import type { SandboxRecords } from '../../src/sandboxes/controllers/sandboxes/sandbox-records.ts'
import type { BegunOperation } from '../../src/sandboxes/storage/begin-operation.ts'
import type { Advance } from '../../src/sandboxes/storage/advance-operation.ts'
import { removePlanes } from '../../src/store/objects/storage/remove-planes.ts'
import type { SandboxOperation } from '../../src/sandboxes/storage/sandbox-operation.ts'
import type { SandboxProgress, SandboxRef } from '../../src/sandboxes/storage/sandbox-state.ts'
import type { Database } from '../../src/store/database/database.ts'
import { removeStatesOfPlanes } from '../../src/sandboxes/storage/remove-states-of-planes.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let owner: TestDatabase
let database: Database
let records: SandboxRecords

beforeAll(async () => {
  owner = await createTestDatabase()
  database = openTestDatabase(owner.url)
  records = sandboxRecords(database)
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await owner[Symbol.asyncDispose]()
})

const NOW = new Date('2026-11-22T12:00:00Z')
const LATER = new Date('2026-11-22T12:01:00Z')
const RUNNING: SandboxProgress = {
  phase: 'Running',
  runtime: 'local',
  instanceId: 'i1',
  suspendedBy: null,
  snapshot: null,
  workloadDigest: 'w',
  boot: 'CLEAN',
  isolationClass: 'bubblewrap',
  details: { restarts: 1 },
}

let count = 0

function sandbox(): SandboxRef {
  count += 1
  return { plane: 'p', namespace: 'n', name: `s${count}`, uid: `uid-${count}` }
}

function begin(ref: SandboxRef, holder = 'one', now = NOW) {
  count += 1
  const id = `op-${count}`
  const lease = { holder, leaseSeconds: 15, now }
  return records.beginOperation({
    ...lease,
    id,
    sandbox: ref,
    kind: 'Start',
    step: 'Begun',
    generation: 1,
    data: {},
  })
}

async function begun(ref: SandboxRef): Promise<BegunOperation> {
  const operation = await begin(ref)
  if (operation === null) throw new Error('the sandbox has an unfinished operation')
  return operation
}

const step = ({ id, fence }: SandboxOperation, more: Partial<Advance> = {}) =>
  records.advanceOperation({
    id,
    fence,
    step: 'Placed',
    attempt: 1,
    data: { runtime: 'local' },
    reason: null,
    message: null,
    nextAttemptTime: null,
    result: null,
    progress: null,
    now: LATER,
    ...more,
  })

test('a sandbox has one unfinished operation', async () => {
  const ref = sandbox()
  const results = await Promise.all([begin(ref), begin(ref), begin(ref)])
  expect(results.filter((result) => result !== null)).toHaveLength(1)
  const { operation } = await records.readRows(ref.uid)
  expect(operation).toMatchObject({ ...ref, kind: 'Start', step: 'Begun', attempt: 1 })
})

test('a begun operation and the row of its sandbox are read together', async () => {
  const ref = sandbox()
  expect(await records.readRows(ref.uid)).toEqual({ state: null, operation: null })
  const { state, ...operation } = await begun(ref)
  expect(await records.readRows(ref.uid)).toEqual({ state, operation })
  expect(await records.readState(ref.uid)).toEqual(state)
  await step(operation, { progress: RUNNING, result: 'Succeeded' })
  const { state: running, operation: unfinished } = await records.readRows(ref.uid)
  expect(unfinished).toBeNull()
  expect(running).toEqual(await records.readState(ref.uid))
  const next = await begun(ref)
  expect(next.state).toEqual({
    ...running,
    fence: next.fence,
    version: (running?.version ?? 0) + 1,
  })
})

test('a step changes the operation and the row of the sandbox together', async () => {
  const ref = sandbox()
  const operation = await begun(ref)
  const progress = {
    ...RUNNING,
    suspendedBy: 'Hibernate',
    snapshot: { name: 'a', uid: 'b' },
  } as const
  await step(operation, { progress, result: 'Succeeded' })
  expect(await records.readState(ref.uid)).toMatchObject({ ...ref, ...progress })
  expect((await records.readRows(ref.uid)).operation).toBeNull()
  expect(await records.readLastOperation(ref.uid)).toMatchObject({
    result: 'Succeeded',
    finishedTime: LATER,
    data: { runtime: 'local' },
  })
})

test('a takeover needs an expired lease and raises the fence', async () => {
  const ref = sandbox()
  const operation = await begun(ref)
  const other = { holder: 'two', leaseSeconds: 15 }
  expect(await records.takeOperation(operation.id, { ...other, now: NOW })).toBeNull()
  const taken = await records.takeOperation(operation.id, { ...other, now: LATER })
  expect(taken?.fence).toBe(operation.fence + 1n)
  expect((await records.readState(ref.uid))?.fence).toBe(taken?.fence)
})

test('the former owner of an operation can neither advance nor renew it', async () => {
  const ref = sandbox()
  const operation = await begun(ref)
  await records.takeOperation(operation.id, { holder: 'two', leaseSeconds: 15, now: LATER })
  expect(await step(operation, { progress: RUNNING })).toBeNull()
  expect((await records.readState(ref.uid))?.phase).toBe('Absent')
  const lease = { holder: 'one', leaseSeconds: 15, now: LATER }
  expect(await records.renewOperations([operation.id], lease)).toEqual(new Set())
})

test('a step that waits delays neither renewals nor the steps of other sandboxes', async () => {
  const [slow, quick] = [await begun(sandbox()), await begun(sandbox())]
  const lease = { holder: 'one', leaseSeconds: 15, now: LATER }
  const client = new pg.Client({ connectionString: owner.url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from sandbox_operations where id = $1 for update', [slow.id])
    const held = await records.renewOperations([quick.id, slow.id], lease)
    expect(held).toEqual(new Set([quick.id, slow.id]))
    expect(await step(quick)).toMatchObject({ leaseExpiresTime: new Date('2026-11-22T12:01:15Z') })
  } finally {
    await client.end()
  }
})

test('a finished operation cannot change', async () => {
  const operation = await begun(sandbox())
  await step(operation, { result: 'Cancelled' })
  expect(await step(operation)).toBeNull()
})

test('each operation of a sandbox has a higher fence', async () => {
  const ref = sandbox()
  const first = await begun(ref)
  await step(first, { result: 'Succeeded' })
  const second = await begun(ref)
  expect(second.fence).toBeGreaterThan(first.fence)
})

test('an observation of a row that has changed is not recorded', async () => {
  const ref = sandbox()
  const operation = await begun(ref)
  const state = await records.readState(ref.uid)
  if (state === null) throw new Error('the row is missing')
  await step(operation, { progress: RUNNING })
  expect(await records.recordObservation(state, { ...RUNNING, phase: 'Exited' })).toBeNull()
  const current = await records.readState(ref.uid)
  if (current === null) throw new Error('the row is missing')
  const exited = await records.recordObservation(current, { ...RUNNING, phase: 'Exited' })
  expect(exited?.phase).toBe('Exited')
})

test('a stopped sandbox cannot have a snapshot to restore', async () => {
  const operation = await begun(sandbox())
  const progress = { ...RUNNING, suspendedBy: 'Stop', snapshot: { name: 'a', uid: 'b' } } as const
  await expect(step(operation, { progress })).rejects.toThrow(/sandbox_states_stop/)
})

test('activity never moves back in time', async () => {
  const ref = sandbox()
  await begun(ref)
  expect(await records.recordActivity(ref.uid, LATER)).toBe(true)
  await records.recordActivity(ref.uid, NOW)
  expect((await records.readState(ref.uid))?.lastActivityTime).toEqual(LATER)
  expect(await records.recordActivity('absent', NOW)).toBe(false)
})

test('rows are listed and counted by runtime', async () => {
  const ref = sandbox()
  await step(await begun(ref), { progress: { ...RUNNING, runtime: 'r7' } })
  const page = { afterUid: '', limit: 10, runtime: 'r7' }
  expect((await records.listStates(page)).map(({ uid }) => uid)).toEqual([ref.uid])
  expect((await records.countInstances()).get('r7')).toBe(1)
})

test('the rows of a removed sandbox and of removed planes disappear', async () => {
  const [first, second] = [sandbox(), { ...sandbox(), plane: 'removed' }]
  await begun(first)
  await begun(second)
  await records.removeState(first.uid)
  await removeStatesOfPlanes(database, ['removed'])
  for (const { uid } of [first, second]) {
    expect(await records.readState(uid)).toBeNull()
    expect(await records.readLastOperation(uid)).toBeNull()
  }
})

test('the removal of a plane removes the rows of its sandboxes', async () => {
  const ref = { ...sandbox(), plane: 'gone' }
  await database.pool.query(`insert into planes (plane, revision, compacted) values ('gone', 1, 1)`)
  await begun(ref)
  await removePlanes(database, ['gone'], { batchSize: 10, removeRecords: removeStatesOfPlanes })
  expect(await records.readState(ref.uid)).toBeNull()
})

test('operations that finished long ago are dropped', async () => {
  const ref = sandbox()
  await step(await begun(ref), { result: 'Succeeded' })
  await records.dropFinishedOperations(new Date(LATER.getTime() + 1), 1000)
  expect(await records.readLastOperation(ref.uid)).toBeNull()
})
