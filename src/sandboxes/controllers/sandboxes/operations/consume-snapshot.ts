import { isJsonObject } from 'flotilla'
import { readOrNull } from 'flotilla/controllers'
import { SNAPSHOTS } from '../../snapshot-claims/snapshot-resources.ts'
import { type OperationRun, type Outcome, planeClient } from './operation-run.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'

/** Marks the sandbox's own snapshot as used. The snapshot of a fork may be used again. */
export async function consumeSnapshot(run: OperationRun): Promise<Outcome> {
  const { operation, state, parts } = run
  const { name } = recordedSnapshot(operation)
  if (operation.data['isFork'] === true) return { finish: 'Succeeded' }
  const client = planeClient(run)
  const object = await readOrNull(client, SNAPSHOTS, { namespace: state.namespace, name })
  const status = object?.['status']
  if (object !== null && isJsonObject(status) && status['phase'] === 'Ready') {
    const consumedTime = `${parts.timers.clock().toISOString().slice(0, 19)}Z`
    const consumed = { ...status, phase: 'Consumed', consumedTime }
    const options = { basedOn: object }
    await client.updateSubresource(SNAPSHOTS, 'status', { ...object, status: consumed }, options)
  }
  return { finish: 'Succeeded' }
}
