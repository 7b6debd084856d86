import type { Instance, InstanceRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import { describeInstance, type HostState } from './host-state.ts'
import { continueInstance } from '../instances/instance-processes.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { requireLive } from './find-instance.ts'
import { changeFrozen } from './hosted-views.ts'
import { ownSandbox } from './own-sandbox.ts'

/** Freezes or thaws an instance. Succeeds if it is in that state already. */
export function freezeInstance(
  state: HostState,
  call: { readonly request: InstanceRequest; readonly signal: AbortSignal },
  frozen: boolean,
): Promise<Instance> {
  const { request } = call
  return ownSandbox(state, call, async ({ record }) => {
    const current = requireLive(record, request.instanceId)
    if (frozen) await changeFrozen(state, { record, current }, true)
    else await thawInstance(state, record, current)
    return describeInstance(state, record, current)
  })
}

/** Lets an instance run again. A checkpoint has stopped one without a cgroup by signals. */
export async function thawInstance(
  state: HostState,
  record: SandboxRecord,
  current: InstanceRecord,
): Promise<void> {
  if (current.cgroup === null) await continueInstance(current)
  else await changeFrozen(state, { record, current }, false)
}
