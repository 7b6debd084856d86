import { isJsonObject, type JsonValue } from 'flotilla'
import type { Workload } from '../../../model/workload.ts'
import type { Instance } from '../../../drivers/generated/proto/snapshot_driver_pb.ts'

interface Observed {
  /** The last report of the runtime; null before its first one. */
  readonly instance: Pick<Instance, 'state' | 'readiness' | 'readinessMessage'> | null
  readonly workload: Pick<Workload, 'probes' | 'initContainers'>
  /** The last conditions of the sandbox. */
  readonly conditions: JsonValue | undefined
}

/** Why a running instance is not ready by its probes and init containers; null if it is. */
export function unreadyMessage({ instance, workload, conditions }: Observed): string | null {
  if (instance?.readiness === 'Unready') return instance.readinessMessage
  // Until the end is recorded, a sandbox whose init containers have failed does not become ready.
  if (instance?.state === 'Exited') return isReady(conditions) ? null : 'its workload has ended'
  if (instance !== null) return null
  const { probes, initContainers } = workload
  const isGated = (probes.startup ?? probes.readiness) !== null || initContainers.length > 0
  if (!isGated) return null
  // A server that has just started keeps the last state until the runtime is connected.
  return isReady(conditions) ? null : 'its runtime has not reported its state yet'
}

function isReady(conditions: JsonValue | undefined): boolean {
  const list = Array.isArray(conditions) ? conditions.filter(isJsonObject) : []
  return list.some(({ type, status }) => type === 'Ready' && status === 'True')
}
