import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { type ReferencePrograms, startReferencePrograms } from '../support/reference-program.ts'
import { HIBERNATES } from '../support/start-reference-fixture.ts'

let fixture: ReferencePrograms

beforeAll(async () => {
  fixture = await startReferencePrograms()
  await fixture.start()
}, 120_000)

afterAll(() => fixture[Symbol.asyncDispose]())

const NAMES = ['a', 'b', 'c', 'd', 'e']

const callsOf = (call: string) =>
  fixture.reference.state.effects.filter((effect) => effect.call === call)

test('Two servers: nothing runs twice.', async () => {
  for (const name of NAMES) await fixture.api().createSandbox(name, HIBERNATES)
  for (const name of NAMES) await fixture.waitFor(name, 'Ready=True')
  expect(callsOf('start')).toHaveLength(NAMES.length)
  for (const name of NAMES) {
    await fixture.api().patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
  }
  // The leader ends during the operations, and the other server continues them.
  await fixture.kill(must(fixture.programs[0], 'the leader'))
  for (const name of NAMES) await fixture.waitFor(name, 'Suspended=True', 'SnapshotReady=True')
  expect(callsOf('checkpoint')).toHaveLength(NAMES.length)
  expect(fixture.reference.state.snapshots.size).toBe(NAMES.length)
  const active = [...fixture.reference.state.instances.values()].filter(
    ({ instance }) => instance.state === 'Running' || instance.state === 'Frozen',
  )
  expect(active).toHaveLength(0)
}, 180_000)
