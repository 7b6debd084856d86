import { isJsonObject } from 'flotilla'
import { type FleetClient, readOrNull, timedConditions } from 'flotilla/controllers'
import { SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'
import { isLost, type SweptSnapshot } from './read-snapshots.ts'

/** Gives a Snapshot whose data is back its former phase. */
export async function recoverSnapshot(
  fleet: FleetClient,
  { plane, snapshot: { namespace, name, uid } }: SweptSnapshot,
  now: Date,
): Promise<void> {
  const client = fleet.plane(plane)
  const object = await readOrNull(client, SNAPSHOTS, { namespace, name })
  if (object === null || object.metadata.uid !== uid || !isLost(object)) return
  const { message: failure, ...status } = isJsonObject(object['status']) ? object['status'] : {}
  void failure
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'DataFound',
    message: 'The data of the snapshot is in its store again',
  } as const
  const { generation = 0 } = object.metadata
  const conditions = timedConditions(status['conditions'], [condition], { now, generation })
  const phase = status['consumedTime'] === undefined ? 'Ready' : 'Consumed'
  const recovered = { ...status, phase, conditions }
  await client.updateSubresource(SNAPSHOTS, 'status', { ...object, status: recovered })
}
