import { create } from '@bufbuild/protobuf'
import { type Limits, LimitsSchema } from '../../generated/proto/snapshot_driver_pb.ts'
import type { InstanceRecord, StoredLimits } from './sandbox-record.ts'

/** Limits as a record stores them. */
export function storedLimits(limits: Limits | undefined): StoredLimits {
  const { memoryBytes = 0n, cpuMillis = 0n, maxProcesses = 0n, diskBytes = 0n } = limits ?? {}
  return {
    memoryBytes: `${memoryBytes}`,
    cpuMillis: `${cpuMillis}`,
    maxProcesses: `${maxProcesses}`,
    diskBytes: `${diskBytes}`,
  }
}

/** The limits of a run. */
export function limitsOf({ limits }: InstanceRecord): Limits | undefined {
  if (limits === undefined) return undefined
  return create(LimitsSchema, {
    memoryBytes: BigInt(limits.memoryBytes),
    cpuMillis: BigInt(limits.cpuMillis),
    maxProcesses: BigInt(limits.maxProcesses),
    diskBytes: BigInt(limits.diskBytes ?? 0),
  })
}
