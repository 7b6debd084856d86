import {
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  optionalNumber,
  optionalText,
  textOf,
  textsOf,
} from 'flotilla'
import { parseQuantity } from 'flotilla/planes'
import { type EnvEntry, envEntriesOf } from './env-entry.ts'
import { type WorkloadNetwork, workloadNetworkOf } from './workload-network.ts'
import { type WorkloadProbes, workloadProbesOf } from './workload-probes.ts'
import { type WorkloadVolume, workloadVolumesOf } from './workload-volume.ts'

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never'

/** The program of a sandbox. */
export interface Workload {
  readonly container: string
  /** The isolation class; null for the default of the runtime. */
  readonly isolationClass: string | null
  /** The service account with which the program uses the API; null without access to the API. */
  readonly apiAccount: string | null
  /** The service account that the manifest names. */
  readonly serviceAccount: string
  /** Null leaves the policy to the runtime. */
  readonly network: WorkloadNetwork | null
  readonly image: string | null
  /** Whether it starts only in its image: `imagePullPolicy: Never`. */
  readonly requiresImage: boolean
  readonly command: readonly string[]
  readonly args: readonly string[]
  /** Null for the workspace. */
  readonly workingDir: string | null
  readonly env: readonly EnvEntry[]
  readonly ports: readonly WorkloadPort[]
  readonly probes: WorkloadProbes
  readonly volumes: readonly WorkloadVolume[]
  /** Programs that run in order before the program starts. */
  readonly initContainers: readonly InitContainer[]
  /** Null without a limit. */
  readonly memoryBytes: number | null
  readonly cpuMillis: number | null
  /** Limit of `ephemeral-storage`: workspace and volumes together. */
  readonly diskBytes: number | null
  readonly restartPolicy: RestartPolicy
  readonly gracePeriodSeconds: number
}

/** A program that prepares the files of a sandbox. */
export interface InitContainer extends Pick<Workload, 'command' | 'args' | 'workingDir' | 'env'> {
  readonly name: string
  readonly volumes: readonly WorkloadVolume[]
}

/** A port on which the program listens. */
export interface WorkloadPort {
  readonly name: string | null
  readonly number: number
  readonly protocol: string
}

const DEFAULT_GRACE_PERIOD_SECONDS = 30
const NANOS_PER_MILLI = 1_000_000n
const NANOS_PER_UNIT = 1_000_000_000n

/** Reads the workload of the spec of a sandbox, which was validated when it was written. */
export function workloadOf(spec: JsonObject): Workload {
  const { podTemplate, networkPolicy, volumeClaimTemplates } = spec
  const pod = objectOf(objectOf(podTemplate)['spec'])
  const container = objectOf(listOf(pod['containers'])[0])
  const limits = objectOf(objectOf(container['resources'])['limits'])
  const serviceAccount = optionalText(pod['serviceAccountName']) || 'default'
  return {
    container: textOf(container['name']),
    isolationClass: optionalText(pod['runtimeClassName']) || null,
    apiAccount: pod['automountServiceAccountToken'] === true ? serviceAccount : null,
    serviceAccount,
    network: workloadNetworkOf(networkPolicy),
    image: optionalText(container['image']) || null,
    requiresImage: container['imagePullPolicy'] === 'Never',
    ...programOf(container),
    ports: listOf(container['ports']).map(portOf),
    probes: workloadProbesOf(container),
    volumes: workloadVolumesOf({ container, pod, volumeClaimTemplates }),
    initContainers: listOf(pod['initContainers']).map((value) => {
      const init = objectOf(value)
      const volumes = workloadVolumesOf({ container: init, pod, volumeClaimTemplates })
      return {
        name: textOf(init['name']),
        ...programOf(init),
        volumes: volumes.filter(({ mountPath }) => mountPath !== null),
      }
    }),
    memoryBytes: amount(limits['memory'], NANOS_PER_UNIT),
    cpuMillis: amount(limits['cpu'], NANOS_PER_MILLI),
    diskBytes: amount(limits['ephemeral-storage'], NANOS_PER_UNIT),
    restartPolicy: restartPolicyOf(pod['restartPolicy']),
    gracePeriodSeconds:
      optionalNumber(pod['terminationGracePeriodSeconds']) ?? DEFAULT_GRACE_PERIOD_SECONDS,
  }
}

function programOf(container: JsonObject) {
  return {
    command: textsOf(container['command']),
    args: textsOf(container['args']),
    workingDir: optionalText(container['workingDir']),
    env: envEntriesOf(container['env']),
  }
}

/** The volumes of the program and of its init containers, each path once. */
export function mountedVolumes({ volumes, initContainers }: Workload): readonly WorkloadVolume[] {
  const all = [...volumes, ...initContainers.flatMap((init) => init.volumes)]
  const places = all.map(({ name, mountPath }) => `${name}:${mountPath ?? ''}`)
  return all.filter((_, index) => {
    const place = places[index]
    return place !== undefined && places.indexOf(place) === index
  })
}

function portOf(value: JsonValue): WorkloadPort {
  const { name, containerPort, protocol } = objectOf(value)
  return {
    name: optionalText(name),
    number: optionalNumber(containerPort) ?? 0,
    protocol: optionalText(protocol) ?? 'TCP',
  }
}

function restartPolicyOf(value: JsonValue | undefined): RestartPolicy {
  return value === 'OnFailure' || value === 'Never' ? value : 'Always'
}

/** An amount in the unit, rounded up; null if it is absent or invalid. */
function amount(value: JsonValue | undefined, nanosPerUnit: bigint): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const quantity = parseQuantity(String(value))
  if (quantity === null || quantity.nanos <= 0n) return null
  return Number((quantity.nanos + nanosPerUnit - 1n) / nanosPerUnit)
}
