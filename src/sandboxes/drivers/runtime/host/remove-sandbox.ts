import type { RemoveRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import { removedInstance } from '../instances/instance-message.ts'
import { removeTree } from '../machine/remove-tree.ts'
import { sandboxPaths } from '../sandbox-layout.ts'
import { type HostState, isLive, saveRecord } from './host-state.ts'
import { ownSandbox } from './own-sandbox.ts'
import { endInstance } from './terminate-instance.ts'

/** Kills the processes of a deleted sandbox and removes its files. Its fence stays on record. */
export function removeSandbox(
  state: HostState,
  request: RemoveRequest,
  signal: AbortSignal,
): Promise<void> {
  return ownSandbox(state, { request, signal }, async ({ record, signal: owned }) => {
    const { current } = record
    if (isLive(current)) {
      await endInstance(state, { record, current }, { graceMs: 0, signal: owned })
    }
    const { directory } = sandboxPaths(state.layout, record.sandbox.uid)
    await removeTree(directory)
    const removedAt = state.clock().getTime()
    await saveRecord(state, { ...record, removedAt, current: null, previous: null })
    state.lastExec.delete(record.sandbox.uid)
    if (current !== null) state.broadcaster.publish(removedInstance(request.sandbox, current.id))
  })
}
