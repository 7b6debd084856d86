import { lostRuntime } from '../runtimes/lost-runtime.ts'
import type { RuntimeClass, RuntimeImage } from '../runtimes/runtime-entry.ts'
import type { ListedRuntime, RuntimeDirectory } from '../runtimes/runtime-directory.ts'
import type { OperationParts } from './operation-parts.ts'
import { OperationProblem } from './operation-problem.ts'
import type { OperationRun } from './operation-run.ts'
import { imageMessage, imageOn, type RequiredImage, requiredImage } from './required-image.ts'

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
interface Chosen {
  readonly runtime: string
  readonly isolationClass: string
  /** Null for the programs of the machine. */
  readonly image: RuntimeImage | null
}

/**
 * The runtime for the next instance. Files that exist on a runtime keep the sandbox there, unless a
 * snapshot contains them. A sandbox keeps the class of its first start unless its spec names another.
 */
export async function chooseRuntime(run: OperationRun, placement: Placement): Promise<Chosen> {
  const { parts, state, sandbox } = run
  const counts = await parts.records.countInstances()
  const needsFiles = placement.driver === null && placement.ignoresFiles !== true
  const current = needsFiles ? state.runtime : null
  const wanted = sandbox?.spec.workload.isolationClass ?? state.isolationClass
  const runtimes = parts.runtimes.list()
  const consent = parts.startProblem
  const network = sandbox?.spec.workload.network?.mode ?? null
  const isResume = placement.driver !== null
  const image = sandbox && requiredImage(sandbox.spec.workload, state, { runtimes, isResume })
  const usesApi = sandbox !== null && sandbox.spec.workload.apiAccount !== null
  const wishes = { wanted, consent, network, image, usesApi }
  const candidates = { runtimes, counts, current, placement, ...wishes }
  const chosen = pickRuntime(candidates)
  if (chosen !== null) return chosen
  if (image !== null && pickRuntime({ ...candidates, image: null }) !== null) {
    const message = imageMessage(image, runtimes)
    throw new OperationProblem('ImageNotFound', { message, action: 'unresolved' })
  }
  const withoutApi = pickRuntime({ ...candidates, usesApi: false })
  if (withoutApi !== null) {
    const message = apiMessage(runtimes, withoutApi)
    throw new OperationProblem('NoRuntime', { message, action: 'unresolved' })
  }
  const enforcesLess = pickRuntime({ ...candidates, network: null, usesApi: false })
  if (enforcesLess !== null && network !== null) {
    const message = networkMessage(runtimes, enforcesLess, network)
    throw new OperationProblem('NoRuntime', { message, action: 'unresolved' })
  }
  const holders = runtimes.filter(({ name }) => current === null || name === current)
  const isRecorded = sandbox?.spec.workload.isolationClass === null
  const problem = classProblem({ runtimes: holders, wanted, consent, isRecorded })
  if (problem !== null && !isWall(wanted)) throw unisolated(problem)
  throw new OperationProblem('NoRuntime', {
    message: problem ?? noRuntimeMessage(parts.runtimes, placement, current),
    action: 'unresolved',
  })
}

/** Throws if this server does not start sandboxes of the class. */
export function requireStarts(
  { startProblem }: Pick<OperationParts, 'startProblem'>,
  isolationClass: string | null,
): void {
  if (startProblem !== null && !isWall(isolationClass)) throw unisolated(startProblem)
}

/** Whether the class is one with a wall. Null means the default, which can have none. */
function isWall(isolationClass: string | null): boolean {
  return isolationClass !== null && isolationClass !== 'process'
}

function unisolated(message: string): OperationProblem {
  return new OperationProblem('Unisolated', { message, action: 'unresolved' })
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

const WITHOUT_WISHES = { network: null, image: null, usesApi: false } as const

/** The class that the next instance has on a runtime; null if the runtime does not offer it. */
function classOn(
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

interface Wanted extends Pick<Candidates, 'runtimes' | 'wanted' | 'consent'> {
  /** Whether the first start has chosen the class, not the spec. */
  readonly isRecorded: boolean
}

/** Why no live runtime offers the class, with the remedies; null if one does. */
function classProblem({ runtimes, wanted, consent, isRecorded }: Wanted): string | null {
  const live = runtimes.filter(({ isLive }) => isLive)
  if (
    live.length === 0 ||
    live.some((each) => classOn(each, { wanted, consent, ...WITHOUT_WISHES }) !== null)
  ) {
    return null
  }
  const isUnknown = live.every(({ classes }) => classes.every(({ name }) => name !== wanted))
  const known = live.flatMap(({ classes }) => classes).filter(({ name }) => name === wanted)
  const reasons = new Set(known.map(({ reason }) => reason).filter(Boolean))
  if (!isWall(wanted)) {
    const why = wanted === null ? live.map(({ startProblem }) => startProblem) : [...reasons]
    const walls = live.flatMap(({ classes }) => classes.filter(({ name }) => name !== 'process'))
    const offered = walls.find(({ reason }) => reason === '')
    const remedy = offered ? `, or set runtimeClassName to ${offered.name}` : ''
    const missing = offered ? '' : missingWalls(walls)
    return `${why.find((each) => each !== null) ?? consent ?? ''}${missing}${remedy}`
  }
  const names = live.flatMap(({ classes }) => classes.filter(({ reason }) => reason === ''))
  const offers = [...new Set(names.map(({ name }) => name))].join(', ')
  const cause = isUnknown ? 'no runtime knows it' : [...reasons].join('; ')
  const origin = isRecorded ? ', which the sandbox has had since its first start' : ''
  const ways = [
    ...(isUnknown ? [] : ['remove the cause and start the runtime again']),
    ...(offers === '' ? [] : ['set runtimeClassName to one that is offered']),
  ]
  const remedy = ways.length === 0 ? '' : `. Remedy: ${ways.join(', or ')}`
  return `No runtime offers the class "${wanted}"${origin}: ${cause}. Offered: ${offers || 'none'}${remedy}`
}

/** Why no runtime can start a sandbox with its network policy, by the one that would start it. */
function networkMessage(
  runtimes: readonly ListedRuntime[],
  { runtime, isolationClass }: Chosen,
  network: string,
): string {
  const classes = runtimes.find(({ name }) => name === runtime)?.classes ?? []
  const found = classes.find(({ name }) => name === isolationClass)
  const enforced = found?.networkPolicies.join(', ') || 'none'
  const problem = found?.networkProblem ? `: ${found.networkProblem}` : ''
  return (
    `No runtime enforces the network policy ${network} for the class "${isolationClass}"; ` +
    `${runtime} enforces: ${enforced}${problem}`
  )
}

/** Why no runtime gives a sandbox access to the API, by the one that would start it. */
function apiMessage(runtimes: readonly ListedRuntime[], { runtime, isolationClass }: Chosen) {
  const classes = runtimes.find(({ name }) => name === runtime)?.classes ?? []
  const problem = classes.find(({ name }) => name === isolationClass)?.networkProblem
  return (
    `No runtime gives the class "${isolationClass}" access to the API` +
    (problem ? `: ${problem}` : '')
  )
}

/** Why the runtimes have no wall; empty for those that know none. */
function missingWalls(walls: readonly RuntimeClass[]): string {
  const reasons = [...new Set(walls.map(({ name, reason }) => `${name}: ${reason}`))]
  return reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
}

interface Candidates extends Classes {
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

function noRuntimeMessage(
  directory: Pick<RuntimeDirectory, 'list' | 'get'>,
  { machine, driver, snapshotRuntime = null }: Placement,
  current: string | null,
) {
  const holder = current ?? (machine === null ? null : snapshotRuntime)
  const lost = holder === null ? null : lostRuntime(holder, directory.get(holder))
  const runtimes = directory.list()
  const live = runtimes.filter(({ isLive }) => isLive).length
  const needs = [
    ...(machine === null ? [] : [`the machine "${machine}"`]),
    ...(driver === null ? [] : [`the driver "${driver}"`]),
  ]
  const wanted = needs.length === 0 ? '' : ` with ${needs.join(' and ')}`
  const free = `No runtime${wanted} has a free place; ${live} of ${runtimes.length} runtimes are live`
  const what = current === null ? 'the snapshot' : 'the files of the sandbox'
  return lost === null ? free : `${lost}, and it has ${what}. ${free}`
}
