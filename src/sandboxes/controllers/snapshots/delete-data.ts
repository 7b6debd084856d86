import { create } from '@bufbuild/protobuf'
import type { PlaneClient } from 'flotilla/controllers'
import type { Unresolved } from '../../model/backends/backend-resolution.ts'
import { unresolved } from '../../model/backends/backend-resolution.ts'
import type { Snapshot } from '../../model/snapshot.ts'
import { DeleteRequestSchema } from '../../drivers/generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../drivers/protocol/sandbox-driver-error.ts'
import { driverStates } from '../snapshot-backends/driver-states.ts'
import { findDriver } from '../snapshot-backends/find-driver.ts'
import { resolveSnapshotBackend } from '../snapshot-backends/resolve-snapshot-backend.ts'
import { readInstallationId } from './installation-id.ts'
import { ROOT, type SnapshotParts } from './snapshot-parts.ts'

/**
 * Deletes the data of a snapshot through its driver. Drivers treat data that is already gone as
 * deleted, so a repeated call is harmless. Returns why the backend cannot be used, or null.
 */
export async function deleteData(
  { fleet, runtimes }: SnapshotParts,
  client: PlaneClient,
  snapshot: Snapshot,
): Promise<Unresolved | null> {
  const { backend: recorded, snapshotUid, sandbox, namespace, runtime, compatibility } = snapshot
  if (recorded === null || snapshotUid === null) return null
  if (recorded.reclaimPolicy === 'Retain') return null
  const usable = await resolveSnapshotBackend(client, recorded, driverStates(runtimes.list()))
  if ('unresolved' in usable) return usable
  const { driver, store, parameters } = usable.backend
  const machine = compatibility['machine'] ?? null
  const found = findDriver(runtimes, { driver, store, runtime, machine })
  if (found === null) {
    const where = runtime === null ? '' : ` on the machine of the SandboxRuntime "${runtime}"`
    return unresolved('DriverNotFound', `No live runtime has the driver "${driver}"${where}`)
  }
  const request = create(DeleteRequestSchema, {
    snapshotUid,
    parameters: { ...parameters },
    operationId: `delete-${snapshotUid}`,
    sandbox: {
      plane: client.plane,
      namespace,
      name: sandbox.name,
      uid: sandbox.uid ?? '',
      installation: await readInstallationId(fleet.plane(ROOT)),
    },
    secrets: { ...usable.credentials },
    driver,
  })
  await found.driver.delete(request).catch(ignoreAbsent)
  return null
}

function ignoreAbsent(error: unknown): void {
  if (!(error instanceof SandboxDriverError) || error.code !== 'NOT_FOUND') throw error
}
