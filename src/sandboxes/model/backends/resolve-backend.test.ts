import { describe, expect, test } from 'vitest'
import type { BackendObjects } from './backend-objects.ts'
import { claim, objectsOfA, objectsOfB, PROCESS, provider, snapshotClass } from './fixtures.ts'
import { requireCredentials } from './require-credentials.ts'
import { resolveBackend } from './resolve-backend.ts'

function backendOf(objects: BackendObjects) {
  const resolution = resolveBackend(objects)
  if ('unresolved' in resolution) throw new Error(`${resolution.unresolved}: ${resolution.message}`)
  return resolution.backend
}

function problemOf(objects: BackendObjects): string {
  const resolution = resolveBackend(objects)
  return 'unresolved' in resolution ? `${resolution.unresolved}: ${resolution.message}` : 'resolved'
}

describe('path A', () => {
  test('has the store and the parameters of the provider', () => {
    expect(backendOf(objectsOfA())).toEqual({
      path: 'A',
      provider: { name: 'disk', uid: 'uid-disk' },
      driver: 'process',
      store: 'local',
      parameters: { path: 'team', store: 'local' },
      credentialsRef: null,
      reclaimPolicy: 'Delete',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('does not resolve without its provider', () => {
    expect(problemOf(objectsOfA({ provider: null }))).toBe(
      'ProviderNotFound: the SnapshotProvider "disk" does not exist',
    )
  })

  test('does not resolve while its provider is being deleted', () => {
    expect(problemOf(objectsOfA({ provider: provider({ isDeleting: true }) }))).toBe(
      'ProviderNotFound: the SnapshotProvider "disk" is being deleted',
    )
  })

  test('does not resolve without a runtime that has the driver', () => {
    const objects = objectsOfA({ provider: provider({ driver: 'gvisor' }) })
    expect(problemOf(objects)).toBe(
      'DriverNotFound: no runtime has the driver "gvisor"; runtimes have process',
    )
    expect(problemOf({ ...objects, drivers: [] })).toBe(
      'DriverNotFound: no runtime has the driver "gvisor"; runtimes have none',
    )
  })

  test('does not resolve if the driver cannot be used', () => {
    const drivers = [{ ...PROCESS, unavailableReason: 'criu check failed' }]
    expect(problemOf(objectsOfA({ drivers }))).toBe(
      'DriverNotFound: the driver "process" cannot be used: criu check failed',
    )
  })

  test('does not resolve a store that the driver lacks', () => {
    const gcs = provider({ store: 'gcs', parameters: { bucket: 'b' } })
    expect(problemOf(objectsOfA({ provider: gcs }))).toBe(
      'ParametersInvalid: the driver "process" has no store "gcs"; it has local, s3',
    )
  })

  test('leaves the store to a driver that declares none', () => {
    const drivers = [{ name: 'process', stores: [], unavailableReason: null }]
    const gcs = provider({ store: 'gcs', parameters: { bucket: 'b' } })
    expect(backendOf(objectsOfA({ provider: gcs, drivers })).store).toBe('gcs')
  })

  test.each(['../evil', 'a/../../evil', '..', '\\..\\evil'])('rejects the path %s', (path) => {
    expect(problemOf(objectsOfA({ provider: provider({ parameters: { path } }) }))).toContain(
      'ParametersInvalid: the parameter path must not contain ".."',
    )
  })

  test('names its credentials and requires their Secret', () => {
    const credentialsRef = { namespace: 'kube-system', name: 's3' }
    const resolution = resolveBackend(
      objectsOfA({
        provider: provider({ store: 's3', parameters: { bucket: 'b' }, credentialsRef }),
      }),
    )
    expect(requireCredentials(resolution, true)).toMatchObject({ backend: { credentialsRef } })
    expect(requireCredentials(resolution, false)).toEqual({
      unresolved: 'CredentialsNotFound',
      message: 'the Secret kube-system/s3 does not exist',
    })
  })

  test('needs no Secret without credentials', () => {
    expect(requireCredentials(resolveBackend(objectsOfA()), false)).toHaveProperty('backend')
  })
})

describe('path B', () => {
  test('has the parameters of the claim and of its class', () => {
    const fast = snapshotClass({
      parameters: { region: 'us', endpoint: 'https://s3.test' },
      reclaimPolicy: 'Retain',
    })
    const shared = claim({ parameters: { bucket: 'b', region: 'eu' } })
    expect(backendOf(objectsOfB({ claim: shared, classes: [fast] }))).toEqual({
      path: 'B',
      snapshotClass: { name: 'fast', uid: 'uid-fast' },
      claim: { name: 'shared', uid: 'uid-shared' },
      driver: 'process',
      store: 's3',
      parameters: { bucket: 'b', region: 'eu', endpoint: 'https://s3.test', store: 's3' },
      credentialsRef: null,
      reclaimPolicy: 'Retain',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('uses the local store if the parameters name none', () => {
    expect(backendOf(objectsOfB())).toMatchObject({
      store: 'local',
      parameters: { store: 'local' },
    })
  })

  test('needs a store if the driver has no default', () => {
    const drivers = [{ ...PROCESS, stores: ['s3', 'gcs'] }]
    expect(problemOf(objectsOfB({ drivers }))).toBe(
      'ParametersInvalid: the driver "process" needs the parameter store: s3, gcs',
    )
  })

  test('needs a bucket for S3', () => {
    expect(problemOf(objectsOfB({ claim: claim({ parameters: { store: 's3' } }) }))).toBe(
      'ParametersInvalid: the store s3 needs the parameter bucket',
    )
  })

  test.each(['ClaimNotFound', 'TemplateNotFound', 'NameConflict'] as const)(
    'passes on %s',
    (reason) => {
      const missing = { unresolved: reason, message: 'why' }
      expect(problemOf(objectsOfB({ claim: missing }))).toBe(`${reason}: why`)
    },
  )

  test('does not resolve while the claim is being deleted', () => {
    expect(problemOf(objectsOfB({ claim: claim({ isDeleting: true }) }))).toBe(
      'ClaimNotFound: the SnapshotClaim "shared" is being deleted',
    )
  })

  test('does not resolve without its class', () => {
    expect(problemOf(objectsOfB({ classes: [] }))).toBe(
      'ClassNotFound: the SnapshotClass "fast" of the SnapshotClaim "shared" does not exist',
    )
  })

  test('does not resolve a claim that is not bound, and says why', () => {
    const binding = { isBound: false, message: 'the class locks bucket' }
    expect(problemOf(objectsOfB({ claim: claim({ binding }) }))).toBe(
      'ClaimNotBound: the SnapshotClaim "shared" is not bound: the class locks bucket',
    )
  })

  test('does not use the binding of an earlier spec', () => {
    expect(problemOf(objectsOfB({ claim: claim({ binding: { isCurrent: false } }) }))).toBe(
      'ClaimNotBound: the SnapshotClaim "shared" is not bound: its class is not known yet',
    )
  })

  test('uses the class that a claim without a name is bound to', () => {
    const other = snapshotClass({ name: 'other', isDefault: true })
    const objects = objectsOfB({
      claim: claim({ requestedClass: '' }),
      classes: [other, snapshotClass()],
    })
    expect(backendOf(objects)).toMatchObject({ snapshotClass: { name: 'fast' } })
  })

  test('names both classes if two are the default, and picks neither', () => {
    const unbound = claim({ requestedClass: '', binding: { isBound: false, className: '' } })
    const classes = ['slow', 'fast'].map((name) => snapshotClass({ name, isDefault: true }))
    expect(problemOf(objectsOfB({ claim: unbound, classes }))).toBe(
      'AmbiguousDefaultClass: the SnapshotClaim "shared" names no class and 2 classes are the default: "fast", "slow"',
    )
    expect(problemOf(objectsOfB({ claim: unbound, classes: [] }))).toContain('ClaimNotBound')
  })

  test('does not resolve a claim that sets locked parameters', () => {
    const fast = snapshotClass({ parameters: { bucket: 'b' }, lockedParameters: ['bucket'] })
    const shared = claim({ parameters: { bucket: 'mine' } })
    expect(problemOf(objectsOfB({ claim: shared, classes: [fast] }))).toBe(
      'ParametersInvalid: the SnapshotClaim "shared" sets bucket, which the SnapshotClass "fast" locks',
    )
  })

  test('rejects paths that leave the store', () => {
    expect(problemOf(objectsOfB({ claim: claim({ parameters: { path: '../evil' } }) }))).toContain(
      'ParametersInvalid: the parameter path must not contain ".."',
    )
  })
})

describe('credentials of path B', () => {
  const fast = snapshotClass({
    parameters: { bucket: 'b', credentialsSecret: 'infra/s3' },
  })

  test('come from the class and are no parameters', () => {
    const backend = backendOf(objectsOfB({ classes: [fast] }))
    expect(backend.credentialsRef).toEqual({ namespace: 'infra', name: 's3' })
    expect(backend.parameters).toEqual({ bucket: 'b', store: 's3' })
  })

  test('come from the namespace of the claim', () => {
    const own = claim({ parameters: { credentialsSecret: 'mine' } })
    const { credentialsRef } = backendOf(objectsOfB({ claim: own, classes: [fast] }))
    expect(credentialsRef).toEqual({ namespace: 'team-a', name: 'mine' })
  })

  test('are never read from another namespace for a claim', () => {
    const foreign = claim({ parameters: { credentialsSecret: 'infra/s3' } })
    expect(problemOf(objectsOfB({ claim: foreign }))).toContain(
      'names the Secret "infra/s3", which must be in its own namespace',
    )
  })

  test('of a class are not sent to the server of a claim', () => {
    const redirecting = claim({ parameters: { endpoint: 'https://evil.test' } })
    expect(problemOf(objectsOfB({ claim: redirecting, classes: [fast] }))).toContain(
      'sets endpoint and would use the credentials of the SnapshotClass "fast"',
    )
  })

  test('of a class need a namespace', () => {
    const bare = snapshotClass({ parameters: { credentialsSecret: 's3' } })
    expect(problemOf(objectsOfB({ classes: [bare] }))).toContain(
      'must name the namespace of the Secret: credentialsSecret: <namespace>/s3',
    )
  })
})

describe('the digest', () => {
  test('is the same for equal backends and differs between paths and parameters', () => {
    const one = backendOf(objectsOfA())
    const reordered = provider({ uid: 'other', parameters: { path: 'team' } })
    expect(backendOf(objectsOfA({ provider: reordered })).digest).toBe(one.digest)
    const moved = provider({ parameters: { path: 'other' } })
    expect(backendOf(objectsOfA({ provider: moved })).digest).not.toBe(one.digest)
    const viaClaim = backendOf(objectsOfB({ claim: claim({ parameters: { path: 'team' } }) }))
    expect(viaClaim.parameters).toEqual(one.parameters)
    expect(viaClaim.digest).not.toBe(one.digest)
  })
})
