import { type Snapshot, snapshotOf } from '../../apis/sandboxes/model/snapshot.ts'
import type { FleetClient } from '../client/fleet-client.ts'
import { storageName } from '../client/resource-names.ts'
import { SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'

/** A Snapshot of any plane. */
export interface SweptSnapshot {
  readonly plane: string
  readonly snapshot: Snapshot
}

/** Reads the Snapshots of all planes. */
export async function readSnapshots(fleet: FleetClient): Promise<readonly SweptSnapshot[]> {
  const snapshots: SweptSnapshot[] = []
  for await (const page of fleet.scan({ resource: storageName(SNAPSHOTS) })) {
    for (const { plane, object } of page) snapshots.push({ plane, snapshot: snapshotOf(object()) })
  }
  return snapshots
}
