import type { Backend } from './backend.ts'
import { type BackendResolution, type Unresolved, unresolved } from './backend-resolution.ts'
import { checkDriver } from './check-driver.ts'
import type { DriverState } from './driver-state.ts'

/** The current state of the provider or the class that a snapshot recorded. */
export interface RecordedObjects {
  /** The driver of the object with the recorded name; null if it does not exist. */
  readonly currentDriver: string | null
  readonly drivers: readonly DriverState[]
}

/**
 * Decides whether the backend that a snapshot recorded may be used. Its parameters stay as they
 * were, but its provider or class must still exist: removing it withdraws the permission.
 */
export function resolveRecordedBackend(
  backend: Backend,
  { currentDriver, drivers }: RecordedObjects,
): BackendResolution {
  if (currentDriver === null) return absent(backend, 'does not exist')
  if (currentDriver !== backend.driver) {
    const names = `${JSON.stringify(currentDriver)}, but the snapshot needs ${JSON.stringify(backend.driver)}`
    return absent(backend, `has the driver ${names}`)
  }
  const checked = checkDriver(backend, drivers)
  return 'unresolved' in checked ? checked : { backend }
}

function absent(backend: Backend, problem: string): Unresolved {
  return backend.path === 'A'
    ? unresolved(
        'ProviderNotFound',
        `the SnapshotProvider ${JSON.stringify(backend.provider.name)} ${problem}`,
      )
    : unresolved(
        'ClassNotFound',
        `the SnapshotClass ${JSON.stringify(backend.snapshotClass.name)} ${problem}`,
      )
}
