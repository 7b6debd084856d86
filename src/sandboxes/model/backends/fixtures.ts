import type { BackendObjects } from './backend-objects.ts'
import type { DriverState } from './driver-state.ts'
import type { ClaimBinding, SnapshotClaim } from './snapshot-claim.ts'
import type { SnapshotClass } from './snapshot-class.ts'
import type { SnapshotProvider } from './snapshot-provider.ts'

/** The driver of processes, with two stores. */
export const PROCESS: DriverState = {
  name: 'process',
  stores: ['local', 's3'],
  unavailableReason: null,
}

/** A provider with a local directory. */
export function provider(parts: Partial<SnapshotProvider> = {}): SnapshotProvider {
  return {
    name: 'disk',
    uid: 'uid-disk',
    isDeleting: false,
    driver: 'process',
    store: 'local',
    parameters: { path: 'team' },
    credentialsRef: null,
    ...parts,
  }
}

/** A class without parameters. */
export function snapshotClass(parts: Partial<SnapshotClass> = {}): SnapshotClass {
  return {
    name: 'fast',
    uid: 'uid-fast',
    isDeleting: false,
    isDefault: false,
    driver: 'process',
    parameters: {},
    lockedParameters: [],
    reclaimPolicy: 'Delete',
    ...parts,
  }
}

const BOUND: ClaimBinding = { isCurrent: true, isBound: true, message: '', className: 'fast' }

/** A claim that is bound to the class `fast`. */
export function claim({
  binding,
  ...parts
}: Partial<Omit<SnapshotClaim, 'binding'>> & {
  readonly binding?: Partial<ClaimBinding>
} = {}): SnapshotClaim {
  return {
    name: 'shared',
    uid: 'uid-shared',
    namespace: 'team-a',
    isDeleting: false,
    requestedClass: 'fast',
    parameters: {},
    ...parts,
    binding: { ...BOUND, ...binding },
  }
}

type ObjectsOf<Path extends BackendObjects['path']> = Extract<BackendObjects, { path: Path }>

/** The objects of a strategy that refers to the provider `disk`. */
export function objectsOfA(parts: Partial<ObjectsOf<'A'>> = {}): BackendObjects {
  return { path: 'A', providerName: 'disk', provider: provider(), drivers: [PROCESS], ...parts }
}

/** The objects of a strategy that refers to the claim `shared`. */
export function objectsOfB(parts: Partial<ObjectsOf<'B'>> = {}): BackendObjects {
  return { path: 'B', claim: claim(), classes: [snapshotClass()], drivers: [PROCESS], ...parts }
}
