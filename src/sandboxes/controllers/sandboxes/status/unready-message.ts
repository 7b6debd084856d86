import type { WorkloadProbes } from '../../../model/workload-probes.ts'
import type { Instance } from '../../../drivers/proto/snapshot_driver_pb.ts'
import { isJsonObject, type JsonValue } from '../../../../lib/json/json.ts'

interface Observed {
  /** The last report of the runtime; null before its first one. */
  readonly instance: Pick<Instance, 'readiness' | 'readinessMessage'> | null
  readonly probes: WorkloadProbes
  /** The last conditions of the sandbox. */
  readonly conditions: JsonValue | undefined
}

/** Why a running instance is not ready by its probes; null if it is. */
export function unreadyMessage({ instance, probes, conditions }: Observed): string | null {
  if (instance !== null) {
    return instance.readiness === 'Unready' ? instance.readinessMessage : null
  }
  if (probes.startup === null && probes.readiness === null) return null
  // A server that has just started keeps the last state until the runtime is connected.
  return isReady(conditions) ? null : 'its runtime has not reported its probes yet'
}

function isReady(conditions: JsonValue | undefined): boolean {
  const list = Array.isArray(conditions) ? conditions.filter(isJsonObject) : []
  return list.some(({ type, status }) => type === 'Ready' && status === 'True')
}
