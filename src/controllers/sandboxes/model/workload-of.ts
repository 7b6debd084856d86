import { create } from '@bufbuild/protobuf'
import type { Sandbox } from '../../../apis/sandboxes/model/sandbox.ts'
import { workloadDigest as digestOf } from '../../../apis/sandboxes/model/workload-digest.ts'
import { type Workload, WorkloadSchema } from '../../../drivers/proto/snapshot_driver_pb.ts'
import type { ObservedSandbox } from './observed-sandbox.ts'

interface Variable {
  readonly name: string
  readonly value: string
}

/** The workload that a runtime starts for a sandbox. */
export function workloadOf({ workload }: Sandbox, env: readonly Variable[]): Workload {
  const { command, args, workingDir, volumes, memoryBytes, cpuMillis, diskBytes } = workload
  return create(WorkloadSchema, {
    command: [...command],
    args: [...args],
    workingDir: workingDir ?? '',
    env: env.map(({ name, value }) => ({ name, value })),
    volumes: volumes.map((volume) => ({ ...volume, mountPath: volume.mountPath ?? '' })),
    limits: {
      memoryBytes: BigInt(memoryBytes ?? 0),
      cpuMillis: BigInt(cpuMillis ?? 0),
      diskBytes: BigInt(diskBytes ?? 0),
    },
    gracePeriodSeconds: BigInt(workload.gracePeriodSeconds),
  })
}

/** Identifies the program that a snapshot contains. */
export function workloadDigest({ spec }: ObservedSandbox): string {
  return digestOf(spec.workload)
}
