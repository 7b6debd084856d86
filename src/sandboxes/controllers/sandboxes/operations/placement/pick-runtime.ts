import type { NamedDigest, RuntimeClass } from '../../runtimes/runtime-entry.ts'
import type { ListedRuntime } from '../../runtimes/runtime-directory.ts'
import { imageOn, type RequiredImage } from '../required-image.ts'

/** Requirements of a sandbox for its runtime. */
export interface Placement {
  /** The machine of a snapshot in a local store; null if any machine will do. */
  readonly machine: string | null
  readonly driver: string | null
  /** The runtime with the snapshot. It is preferred, since others may not reach a local store. */
  readonly snapshotRuntime?: string | null
  /** A cold boot without its files may leave the runtime that has them. */
  readonly ignoresFiles?: boolean
}

/** A runtime and the isolation class of the next instance on it. */
export interface Chosen {
  readonly runtime: string
  readonly isolationClass: string
  /** Null for the programs of the machine. */
  readonly image: NamedDigest | null
}

interface Classes {
  /** The class of the sandbox; null for the default of the runtime. */
  readonly wanted: string | null
  /** Why this server does not start sandboxes without a wall; null if it does. */
  readonly consent: string | null
  /** The mode of the network policy; null for any. */
  readonly network: string | null
  /** Null for any. */
  readonly image: RequiredImage | null
  /** Whether the sandbox needs access to the API. */
  readonly usesApi: boolean
}

export interface Candidates extends Classes {
  readonly runtimes: readonly ListedRuntime[]
  /** Instances by runtime. */
  readonly counts: ReadonlyMap<string, number>
  /** The runtime with the sandbox's files, which cannot move; null if there is none. */
  readonly current: string | null
  readonly placement: Placement
}

/** The live runtime with a wall and the most free places; null if no runtime is suitable. */
export function pickRuntime(candidates: Candidates): Chosen | null {
  const { runtimes, counts, current, placement, image } = candidates
  const free = ({ name, capacity }: ListedRuntime): number => capacity - (counts.get(name) ?? 0)
  const suitable = runtimes.filter(
    (runtime) =>
      runtime.isLive &&
      classOn(runtime, candidates) !== null &&
      (image === null || imageOn(runtime, image) !== null) &&
      (current === null || runtime.name === current) &&
      (free(runtime) > 0 || runtime.name === current) &&
      isSuitable(runtime, placement),
  )
  const hasSnapshot = ({ name }: ListedRuntime) => Number(name === placement.snapshotRuntime)
  const walls = (runtime: ListedRuntime) => classOn(runtime, candidates)?.separates.length ?? 0
  const [best] = suitable.toSorted(
    (a, b) =>
      hasSnapshot(b) - hasSnapshot(a) ||
      walls(b) - walls(a) ||
      free(b) - free(a) ||
      (a.name < b.name ? -1 : 1),
  )
  if (best === undefined) return null
  return {
    runtime: best.name,
    isolationClass: classOn(best, candidates)?.name ?? 'process',
    image: image && imageOn(best, image),
  }
}

function isSuitable({ machine, drivers }: ListedRuntime, placement: Placement): boolean {
  if (placement.machine !== null && machine !== placement.machine) return false
  return placement.driver === null || drivers.some(({ name }) => name === placement.driver)
}

/** The class that the next instance has on a runtime; null if the runtime does not offer it. */
export function classOn(
  { classes }: ListedRuntime,
  { wanted, consent, network, image, usesApi }: Classes,
): RuntimeClass | null {
  const offered = classes.find(
    ({ name, reason, separates, networkPolicies, apiAccess }) =>
      reason === '' &&
      (network === null || networkPolicies.includes(network)) &&
      (!usesApi || apiAccess) &&
      (wanted === null || name === wanted) &&
      // Without separate files, there is no root file system.
      (image === null || separates.includes('files')) &&
      (consent === null || separates.includes('network')),
  )
  return offered ?? null
}

/** Whether the class is one with a wall. Null means the default, which can have none. */
export function isWall(isolationClass: string | null): boolean {
  return isolationClass !== null && isolationClass !== 'process'
}
