import type { Instance, InstanceRequest } from '../../proto/snapshot_driver_pb.ts'
import { describeInstance, type HostState } from './host-state.ts'
import { continueInstance } from '../instances/instance-processes.ts'
import { requireLive } from './find-instance.ts'
import { changeFrozen } from './hosted-views.ts'
import { ownSandbox } from './own-sandbox.ts'

/** Freezes or thaws an instance. Succeeds if it is in that state already. */
export function freezeInstance(
  state: HostState,
  request: InstanceRequest,
  frozen: boolean,
  signal: AbortSignal,
): Promise<Instance> {
  return ownSandbox(state, request, signal, async ({ record }) => {
    const current = requireLive(record, request.instanceId)
    // A checkpoint has stopped an instance without a cgroup by signals.
    if (current.cgroup === null && !frozen) continueInstance(current)
    else await changeFrozen(state, record, current, frozen)
    return describeInstance(state, record, current)
  })
}
