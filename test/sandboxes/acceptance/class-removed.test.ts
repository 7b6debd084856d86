import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimApi, WAIT } from '../claims/claim-api.ts'
import { conditionTexts } from '../support/sandbox-conditions.ts'
import { type ReferenceFixture, startReferenceFixture } from '../support/start-reference-fixture.ts'

const TIMEOUT = 90_000

let fixture: ReferenceFixture
let api: ReturnType<typeof claimApi>

beforeAll(async () => {
  fixture = await startReferenceFixture()
  api = claimApi(fixture.server.origin)
}, TIMEOUT)
afterAll(() => fixture[Symbol.asyncDispose]())

function startsOf(uid: string): number {
  return fixture.reference.state.effects.filter(
    ({ call, sandboxUid }) => call === 'start' && sandboxUid === uid,
  ).length
}

test(
  'Class removed between suspend and resume: no cold boot',
  async () => {
    const { waitFor, reference } = fixture
    const parameters = { store: 'local', path: '/snapshots' }
    await api.createClass('fragile', { parameters })
    await api.createClaim('fragile-claim', { snapshotClassName: 'fragile' })
    const { body } = await api.createSandbox('orphaned', {
      suspensionStrategy: {
        type: 'Hibernate',
        hibernate: { snapshotClaimName: 'fragile-claim' },
      },
    })
    const { uid } = body.metadata
    await waitFor('orphaned', 'Ready=True')
    reference.state.files.set(uid, new Map([['count', '7']]))
    await api.patchSandbox('orphaned', { spec: { operatingMode: 'Suspended' } })
    const suspended = await waitFor('orphaned', 'Suspended=True/PodTerminated')
    expect(suspended.body.status.snapshot).toMatchObject({
      snapshotClassName: 'fragile',
      snapshotClaimName: 'fragile-claim',
    })

    const path = api.classPath('fragile')
    await expect
      .poll(async () => (await api.get(path)).body.metadata.finalizers, WAIT)
      .toContain('agents.x-k8s.io/snapshot-protection')
    await api.remove(path)
    expect((await api.get(path)).body.metadata.deletionTimestamp).toBeDefined()
    await expect
      .poll(() => api.events('InUse'), WAIT)
      .toEqual([expect.stringContaining('Sandbox default/orphaned')])
    await api.merge(path, { metadata: { finalizers: null } })
    expect((await api.get(path)).status).toBe(404)

    const starts = startsOf(uid)
    await api.patchSandbox('orphaned', { spec: { operatingMode: 'Running' } })
    const blocked = await waitFor('orphaned', 'BackendResolved=False/ClassNotFound')
    expect(conditionTexts(blocked)).toContain('Suspended=True/PodTerminated')
    expect(startsOf(uid)).toBe(starts)
    expect(reference.state.effects.filter(({ call }) => call === 'restore')).toEqual([])

    await api.createClass('fragile', { parameters: { store: 'local', path: '/elsewhere' } })
    const resumed = await waitFor('orphaned', 'Ready=True', 'BackendResolved=True')
    expect(resumed.body.status.boot).toBe('RESUME_FS')
    expect(reference.state.files.get(uid)?.get('count')).toBe('7')
  },
  TIMEOUT,
)
