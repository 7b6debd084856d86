import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HibernateReference } from '../../../src/sandboxes/model/suspension-strategy.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { resolveSandboxBackend } from '../../../src/sandboxes/controllers/snapshot-backends/resolve-sandbox-backend.ts'
import { resolveSnapshotBackend } from '../../../src/sandboxes/controllers/snapshot-backends/resolve-snapshot-backend.ts'
import { claimApi } from '../claims/claim-api.ts'
import { poll } from '../support/poll.ts'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

const TIMEOUT = 90_000
const DRIVERS = [{ name: 'reference', stores: ['local'], unavailableReason: null }]

let fixture: ReferenceFixture
let api: ReturnType<typeof claimApi>

beforeAll(async () => {
  fixture = await startReferenceFixture()
  api = claimApi(fixture.server.origin)
  await api.createClass('fast', { parameters: { store: 'local', path: '/snapshots' } })
  await api.createClaim('shared', { snapshotClassName: 'fast' })
  await poll(
    'a bound claim',
    () => api.binding('shared'),
    (text) => text.startsWith('True'),
  )
}, TIMEOUT)
afterAll(() => fixture[Symbol.asyncDispose]())

/** A client of the root plane that records the resources it reads. */
function countingClient(): { readonly client: PlaneClient; readonly reads: Set<string> } {
  const reads = new Set<string>()
  const client = fixture.server.planes.client().plane('root')
  return {
    reads,
    client: {
      ...client,
      get: (resource, name, options) => {
        reads.add(resource.plural)
        return client.get(resource, name, options)
      },
      pages: (resource, options) => {
        reads.add(resource.plural)
        return client.pages(resource, options)
      },
    },
  }
}

async function hibernate(name: string, spec: object) {
  await api.createSandbox(name, spec)
  await fixture.waitFor(name, 'Ready=True')
  await api.patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
  const { body } = await fixture.waitFor(name, 'Suspended=True/PodTerminated')
  const snapshot = await api.get(api.snapshotPath(body.status.snapshot.name))
  return { status: body.status.snapshot, backend: snapshot.body.status.backend, sandbox: body }
}

const CLAIMED = {
  suspensionStrategy: { type: 'Hibernate', hibernate: { snapshotClaimName: 'shared' } },
}

test(
  'A and B leave no rows of the other',
  async () => {
    const a = await hibernate('path-a', HIBERNATES)
    expect(a.status).toMatchObject({ snapshotProviderName: 'local' })
    expect(Object.keys(a.status)).not.toContain('snapshotClassName')
    expect(a.backend).toMatchObject({ path: 'A', provider: { name: 'local' } })
    expect(Object.keys(a.backend)).not.toContain('claim')
    expect(Object.keys(a.backend)).not.toContain('snapshotClass')

    const b = await hibernate('path-b', CLAIMED)
    expect(b.status).toMatchObject({ snapshotClassName: 'fast', snapshotClaimName: 'shared' })
    expect(Object.keys(b.status)).not.toContain('snapshotProviderName')
    expect(b.backend).toMatchObject({ path: 'B', claim: { name: 'shared' } })
    expect(Object.keys(b.backend)).not.toContain('provider')

    expect(await api.names('snapshotclaims')).toEqual(['shared'])
    const providers = await api.get(api.providerPath(''))
    expect(providers.body.items).toHaveLength(1)
  },
  TIMEOUT,
)

test.each<[string, HibernateReference, readonly string[]]>([
  ['A reads the provider only', { type: 'provider', name: 'local' }, ['snapshotproviders']],
  [
    'B reads the claim and the classes only',
    { type: 'claim', name: 'shared' },
    ['snapshotclaims', 'snapshotclasses'],
  ],
])('path %s', async (_name, reference, expected) => {
  const { client, reads } = countingClient()
  const { body: sandbox } = await api.createSandbox(`reader-${reference.type}`, {})
  const request = { sandbox, reference, drivers: DRIVERS }
  const resolved = await resolveSandboxBackend(client, request)
  expect(resolved).toMatchObject({ backend: { driver: 'reference' } })
  expect([...reads].toSorted()).toEqual(expected)

  reads.clear()
  if ('unresolved' in resolved) return
  await resolveSnapshotBackend(client, resolved.backend, DRIVERS)
  expect([...reads]).toEqual([reference.type === 'provider' ? expected[0] : 'snapshotclasses'])
})
