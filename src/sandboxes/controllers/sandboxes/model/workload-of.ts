import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { Sandbox } from '../../../model/sandbox.ts'
import { mountedVolumes } from '../../../model/workload.ts'
import type { WorkloadNetwork } from '../../../model/workload-network.ts'
import type { WorkloadVolume } from '../../../model/workload-volume.ts'
import { workloadDigest as digestOf } from '../../../model/workload-digest.ts'
import {
  type NetworkPolicySchema,
  type Workload,
  WorkloadSchema,
} from '../../../drivers/generated/proto/snapshot_driver_pb.ts'
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
  /** The digest of its image; empty for the programs of the machine. */
  readonly image: string
  /** The tenant of its plane; empty without one. */
  readonly tenant: string
  /** Null without access to the API. */
  readonly token: string | null
  readonly env: readonly Variable[]
  readonly initEnvs: readonly (readonly Variable[])[]
  readonly contents: Extract<ResolvedVolumes, { readonly contents: unknown }>['contents']
}

/** The workload that a runtime starts for a sandbox. */
export function workloadOf(
  { workload }: Sandbox,
  { env, initEnvs, contents, isolationClass, image, tenant, token }: Resolved,
): Workload {
  const { command, args, workingDir, memoryBytes, cpuMillis, diskBytes } = workload
  return create(WorkloadSchema, {
    command: [...command],
    args: [...args],
    workingDir: workingDir ?? '',
    isolationClass: isolationClass ?? '',
    image,
    tenant,
    ...(workload.network !== null && { networkPolicy: networkMessage(workload.network) }),
    ...(token !== null && { apiAccess: { token } }),
    env: env.map(({ name, value }) => ({ name, value })),
    volumes: mountedVolumes(workload).map((volume) => {
      const files = contents.get(volume.name)
      return { ...volumeMessage(volume), ...(files && { content: { files: [...files] } }) }
    }),
    initContainers: workload.initContainers.map((init, index) => ({
      name: init.name,
      command: [...init.command],
      args: [...init.args],
      workingDir: init.workingDir ?? '',
      env: (initEnvs[index] ?? []).map(({ name, value }) => ({ name, value })),
      volumes: init.volumes.map(volumeMessage),
    })),
    limits: {
      memoryBytes: BigInt(memoryBytes ?? 0),
      cpuMillis: BigInt(cpuMillis ?? 0),
      diskBytes: BigInt(diskBytes ?? 0),
    },
    gracePeriodSeconds: BigInt(workload.gracePeriodSeconds),
    probes: probesMessage(workload.probes),
  })
}

function networkMessage(network: WorkloadNetwork): MessageInitShape<typeof NetworkPolicySchema> {
  if (network.mode !== 'Allow') return { mode: network.mode }
  const rules = network.rules.map(({ networks, except, names, ports }) => ({
    networks: [...networks],
    except: [...except],
    names: [...names],
    ports: [...ports],
  }))
  return { mode: network.mode, rules }
}

function volumeMessage({ name, mountPath, ephemeral, readOnly }: WorkloadVolume) {
  return { name, mountPath: mountPath ?? '', ephemeral, readOnly }
}

/** Identifies the program that a snapshot contains. */
export function workloadDigest({ spec }: ObservedSandbox): string {
  return digestOf(spec.workload)
}
