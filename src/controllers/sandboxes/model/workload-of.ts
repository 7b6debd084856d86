import { create } from '@bufbuild/protobuf'
import type { Sandbox } from '../../../apis/sandboxes/model/sandbox.ts'
import { workloadDigest as digestOf } from '../../../apis/sandboxes/model/workload-digest.ts'
import { type Workload, WorkloadSchema } from '../../../drivers/proto/snapshot_driver_pb.ts'
import type { ObservedSandbox } from './observed-sandbox.ts'
import { probesMessage } from './probes-message.ts'
import type { ResolvedVolumes } from './resolve-volumes.ts'

interface Variable {
  readonly name: string
  readonly value: string
}

interface Resolved {
  /** The class that the runtime was chosen for; null for `process`. */
  readonly isolationClass: string | null
  readonly env: readonly Variable[]
  readonly contents: Extract<ResolvedVolumes, { readonly contents: unknown }>['contents']
}

/** The workload that a runtime starts for a sandbox. */
export function workloadOf(
  { workload }: Sandbox,
  { env, contents, isolationClass }: Resolved,
): Workload {
  const { command, args, workingDir, volumes, memoryBytes, cpuMillis, diskBytes } = workload
  return create(WorkloadSchema, {
    command: [...command],
    args: [...args],
    workingDir: workingDir ?? '',
    isolationClass: isolationClass ?? '',
    env: env.map(({ name, value }) => ({ name, value })),
    volumes: volumes.map(({ name, mountPath, ephemeral, readOnly }) => {
      const files = contents.get(name)
      return {
        name,
        mountPath: mountPath ?? '',
        ephemeral,
        readOnly,
        ...(files && { content: { files: [...files] } }),
      }
    }),
    limits: {
      memoryBytes: BigInt(memoryBytes ?? 0),
      cpuMillis: BigInt(cpuMillis ?? 0),
      diskBytes: BigInt(diskBytes ?? 0),
    },
    gracePeriodSeconds: BigInt(workload.gracePeriodSeconds),
    probes: probesMessage(workload.probes),
  })
}

/** Identifies the program that a snapshot contains. */
export function workloadDigest({ spec }: ObservedSandbox): string {
  return digestOf(spec.workload)
}
