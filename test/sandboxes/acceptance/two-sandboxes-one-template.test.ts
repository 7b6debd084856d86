import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimApi, WAIT } from '../claims/claim-api.ts'
import { type ReferenceFixture, startReferenceFixture } from '../support/start-reference-fixture.ts'

const TIMEOUT = 90_000
const STRATEGY = {
  suspensionStrategy: {
    type: 'Hibernate',
    hibernate: { snapshotClaimTemplateName: 'nightly' },
  },
}

let fixture: ReferenceFixture
let api: ReturnType<typeof claimApi>

beforeAll(async () => {
  fixture = await startReferenceFixture()
  api = claimApi(fixture.server.origin)
  await api.createClass('fast', { parameters: { store: 'local', path: '/snapshots' } })
  await api.createTemplate('nightly', {
    metadata: { labels: { team: 'blue' } },
    spec: { snapshotClassName: 'fast', parameters: { note: 'verbatim' } },
  })
}, TIMEOUT)
afterAll(() => fixture[Symbol.asyncDispose]())

async function suspend(name: string): Promise<void> {
  await api.createSandbox(name, STRATEGY)
  await fixture.waitFor(name, 'Ready=True')
  await api.patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
}

test(
  'Two sandboxes of one template',
  async () => {
    await Promise.all(['first', 'second'].map(suspend))
    const claims: string[] = []
    for (const name of ['first', 'second']) {
      const { body } = await fixture.waitFor(name, 'Suspended=True/PodTerminated')
      claims.push(body.status.snapshot.snapshotClaimName)
    }
    expect(claims[0]).toMatch(/^first-nightly-[0-9a-f]{8}$/)
    expect(claims[1]).toMatch(/^second-nightly-[0-9a-f]{8}$/)
    expect((await api.names('snapshotclaims')).toSorted()).toEqual(claims)
    for (const [index, name] of ['first', 'second'].entries()) {
      const { body } = await api.get(api.claimPath(claims[index] ?? ''))
      expect(body.spec).toEqual({ snapshotClassName: 'fast', parameters: { note: 'verbatim' } })
      expect(body.metadata.labels).toEqual({ team: 'blue' })
      expect(body.metadata.ownerReferences).toMatchObject([{ kind: 'Sandbox', name }])
    }

    await api.patchSandbox('first', { spec: { operatingMode: 'Running' } })
    await fixture.waitFor('first', 'Ready=True')
    const { body } = await api.getSandbox('second')
    expect(body.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Suspended', status: 'True' }),
    )
    await api.remove(api.sandboxPath('first'))
    await expect.poll(() => api.names('snapshotclaims'), WAIT).toEqual([claims[1]])
  },
  TIMEOUT,
)

test(
  'a foreign claim with the name of a template claim fails the suspend',
  async () => {
    await suspend('squatted')
    const { body } = await fixture.waitFor('squatted', 'Suspended=True/PodTerminated')
    const claim: string = body.status.snapshot.snapshotClaimName
    await api.patchSandbox('squatted', { spec: { operatingMode: 'Running' } })
    await fixture.waitFor('squatted', 'Ready=True')
    const owned = await api.get(api.claimPath(claim))
    await api.merge(api.claimPath(claim), { metadata: { ownerReferences: null } })
    expect(owned.body.metadata.ownerReferences).toHaveLength(1)

    await api.patchSandbox('squatted', { spec: { operatingMode: 'Suspended' } })
    const failed = await fixture.waitFor('squatted', 'BackendResolved=False/NameConflict')
    expect(failed.body.status.boot).toBe('RESUME_FS')
    expect(
      [...fixture.reference.state.instances.values()].filter(
        ({ instance }) => instance.sandbox?.name === 'squatted' && instance.state === 'Running',
      ),
    ).toHaveLength(1)
  },
  TIMEOUT,
)
