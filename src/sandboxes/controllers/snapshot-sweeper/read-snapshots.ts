import { isJsonObject } from 'flotilla'
import { type FleetClient, storageName } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { type Snapshot, snapshotOf } from '../../model/snapshot.ts'
import { SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'

/** The reason of a Snapshot whose data is gone. */
export const DATA_MISSING = 'DataMissing'

/** A Snapshot of any plane. */
export interface SweptSnapshot {
  readonly plane: string
  readonly snapshot: Snapshot
  /** An earlier sweep has not found its data. */
  readonly isLost: boolean
}

/** Reads the Snapshots of all planes. */
export async function readSnapshots(fleet: FleetClient): Promise<readonly SweptSnapshot[]> {
  const snapshots: SweptSnapshot[] = []
  for await (const page of fleet.scan({ resource: storageName(SNAPSHOTS) })) {
    for (const { plane, object } of page) {
      snapshots.push({ plane, snapshot: snapshotOf(object()), isLost: isLost(object()) })
    }
  }
  return snapshots
}

/** Whether a Snapshot is Failed because its data was missing, and for no other reason. */
export function isLost({ status }: ApiObject): boolean {
  if (!isJsonObject(status) || status['phase'] !== 'Failed') return false
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.some(
    (condition) => isJsonObject(condition) && condition['reason'] === DATA_MISSING,
  )
}
