import { fromJson, toJson } from '@bufbuild/protobuf'
import { type Probes, ProbesSchema, type Workload } from '../../proto/snapshot_driver_pb.ts'
import type { InstanceHealth, InstanceRecord } from './sandbox-record.ts'

/** The health of a new run. A run without probes has none. */
export function healthOf(workload: Workload): { readonly health?: InstanceHealth } {
  const { probes, gracePeriodSeconds } = workload
  const { startup, readiness, liveness } = probes ?? {}
  if (probes === undefined || (startup ?? readiness ?? liveness) === undefined) return {}
  const isGated = startup !== undefined || readiness !== undefined
  return {
    health: {
      probes: toJson(ProbesSchema, probes),
      graceMs: Number(gracePeriodSeconds) * 1000,
      hasStarted: startup === undefined,
      isReady: isGated ? false : null,
      message: isGated ? 'its probes have not succeeded yet' : '',
    },
  }
}

/** The probes of a run; null without any. */
export function probesOf({ health }: InstanceRecord): Probes | null {
  return health === undefined ? null : fromJson(ProbesSchema, health.probes)
}
