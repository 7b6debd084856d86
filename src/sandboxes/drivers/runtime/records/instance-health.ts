import { fromJson, toJson } from '@bufbuild/protobuf'
import {
  type Probes,
  ProbesSchema,
  type Workload,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { initDigest } from '../instances/init-containers.ts'
import type { InstanceHealth, InstanceRecord } from './sandbox-record.ts'

/** The health of a new run. A run without probes has none. */
export function healthOf(workload: Workload): { readonly health?: InstanceHealth } {
  const { probes, gracePeriodSeconds } = workload
  const { startup, readiness, liveness } = probes ?? {}
  const hasInit = workload.initContainers.length > 0
  if ((startup ?? readiness ?? liveness) === undefined && !hasInit) return {}
  const isGated = startup !== undefined || readiness !== undefined || hasInit
  return {
    health: {
      ...(hasInit && { initDigest: initDigest(workload) }),
      probes: probes === undefined ? {} : toJson(ProbesSchema, probes),
      graceMs: Number(gracePeriodSeconds) * 1000,
      hasStarted: startup === undefined,
      isReady: isGated ? false : null,
      message: hasInit
        ? 'its init containers have not ended yet'
        : isGated
          ? 'its probes have not succeeded yet'
          : '',
    },
  }
}

/** The probes of a run; null without any. */
export function probesOf({ health }: InstanceRecord): Probes | null {
  return health === undefined ? null : fromJson(ProbesSchema, health.probes)
}
