import { type PlaneClient, readOrNull } from 'flotilla/controllers'
import type { Backend } from '../../model/backends/backend.ts'
import type { Unresolved } from '../../model/backends/backend-resolution.ts'
import type { DriverState } from '../../model/backends/driver-state.ts'
import { resolveRecordedBackend } from '../../model/backends/resolve-recorded-backend.ts'
import { snapshotClassOf } from '../../model/backends/snapshot-class.ts'
import { snapshotProviderOf } from '../../model/backends/snapshot-provider.ts'
import { CLASSES, PROVIDERS } from '../snapshot-claims/snapshot-resources.ts'
import { type UsableBackend, usableBackend } from './usable-backend.ts'

/**
 * Resolves the backend that a snapshot recorded, for a restore or a deletion. Path A reads the
 * provider only, and path B the class only: the parameters of the claim are part of the record.
 */
export async function resolveSnapshotBackend(
  client: PlaneClient,
  backend: Backend,
  drivers: readonly DriverState[],
): Promise<UsableBackend | Unresolved> {
  const currentDriver = await readDriver(client, backend)
  return usableBackend(client, resolveRecordedBackend(backend, { currentDriver, drivers }))
}

/** The driver of the provider or class with the recorded name; null if there is none. */
async function readDriver(client: PlaneClient, backend: Backend): Promise<string | null> {
  if (backend.path === 'A') {
    const name = { namespace: '', name: backend.provider.name }
    const provider = await readOrNull(client, PROVIDERS, name)
    return provider && snapshotProviderOf(provider).driver
  }
  const name = { namespace: '', name: backend.snapshotClass.name }
  const snapshotClass = await readOrNull(client, CLASSES, name)
  return snapshotClass && snapshotClassOf(snapshotClass).driver
}
