import { isJsonObject } from 'flotilla'
import { type ApiObject, type EndpointRequest, objectConflict } from 'flotilla/planes'
import type { InstancePhase } from '../storage/sandbox-state.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { sandboxTarget } from './sandbox-target.ts'
import type { WorkloadInstance } from './workload-access.ts'

const OBSTACLES: Readonly<Record<Exclude<InstancePhase, 'Running'>, string>> = {
  Absent: 'the workload has not been started, or was stopped',
  Frozen: 'the workload is frozen: resume the sandbox first',
  Exited: 'the workload has ended',
}

/** The running instance of a sandbox. 409 with the reason if the workload does not run. */
export async function runningInstance(
  parts: EndpointParts,
  request: EndpointRequest,
): Promise<WorkloadInstance> {
  const { sandbox, instance, phase } = await readInstance(parts, request)
  const { type, name } = request.target
  const spec = isJsonObject(sandbox['spec']) ? sandbox['spec'] : {}
  if (spec['operatingMode'] === 'Suspended') {
    throw objectConflict(type, name, 'the sandbox is suspended: resume it first')
  }
  if (!instance || phase !== 'Running') {
    throw objectConflict(type, name, OBSTACLES[phase === 'Running' ? 'Absent' : phase])
  }
  return instance
}

/** The last instance of a sandbox, which may have ended. 409 if there was none. */
export async function lastInstance(
  parts: EndpointParts,
  request: EndpointRequest,
): Promise<WorkloadInstance> {
  const { instance } = await readInstance(parts, request)
  if (instance) return instance
  throw objectConflict(request.target.type, request.target.name, OBSTACLES.Absent)
}

interface KnownInstance {
  readonly sandbox: ApiObject
  readonly instance: WorkloadInstance | null
  readonly phase: InstancePhase
}

async function readInstance(
  { objects, workloads }: EndpointParts,
  { requester, target }: EndpointRequest,
): Promise<KnownInstance> {
  const sandbox = await objects().get(requester, sandboxTarget(target))
  const { uid = '' } = sandbox.metadata
  const state = await workloads.readState(uid)
  const { plane, namespace, name } = target
  const { runtime = null, instanceId = null, phase = 'Absent' } = state ?? {}
  const instance =
    runtime === null || instanceId === null
      ? null
      : { plane, namespace, name, uid, runtime, instanceId }
  return { sandbox, instance, phase }
}
