import { isJsonObject } from 'flotilla'
import { type FleetClient, readOrNull, recordEvent, timedConditions } from 'flotilla/controllers'
import { SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'
import { DATA_MISSING, type SweptSnapshot } from './read-snapshots.ts'

const MESSAGE = 'The data of the snapshot is no longer in its store'

/** Marks a Snapshot as Failed because its data is gone, unless it has changed since it was read. */
export async function failMissing(
  fleet: FleetClient,
  { plane, snapshot }: SweptSnapshot,
  now: Date,
): Promise<void> {
  const { namespace, name, uid, snapshotUid, phase } = snapshot
  const client = fleet.plane(plane)
  const object = await readOrNull(client, SNAPSHOTS, { namespace, name })
  if (object === null || object.metadata.uid !== uid) return
  if (object.metadata.deletionTimestamp !== undefined) return
  const status = isJsonObject(object['status']) ? object['status'] : {}
  if (status['phase'] !== phase || status['snapshotUid'] !== snapshotUid) return
  const condition = {
    type: 'Ready',
    status: 'False',
    reason: DATA_MISSING,
    message: MESSAGE,
  } as const
  const { generation = 0 } = object.metadata
  const conditions = timedConditions(status['conditions'], [condition], { now, generation })
  const failed = { ...status, phase: 'Failed', message: MESSAGE, conditions }
  await client.updateSubresource(SNAPSHOTS, 'status', { ...object, status: failed })
  const event = { type: 'Warning', reason: DATA_MISSING, message: MESSAGE } as const
  await recordEvent(client, object, event, { component: 'snapshot-sweeper', now })
}
