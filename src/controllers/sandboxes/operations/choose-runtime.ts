import { lostRuntime } from '../runtimes/lost-runtime.ts'
import type { ListedRuntime, RuntimeDirectory } from '../runtimes/runtime-directory.ts'
import type { OperationParts } from './operation-parts.ts'
import { OperationProblem } from './operation-problem.ts'
import type { OperationRun } from './operation-run.ts'

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

/**
 * The runtime for the next instance. Files that exist on a runtime keep the sandbox there, unless a
 * snapshot contains them.
 */
export async function chooseRuntime(run: OperationRun, placement: Placement): Promise<string> {
  const { parts, state } = run
  requireStarts(parts)
  const counts = await parts.records.countInstances()
  const needsFiles = placement.driver === null && placement.ignoresFiles !== true
  const current = needsFiles ? state.runtime : null
  const chosen = pickRuntime({
    runtimes: parts.runtimes.list(),
    counts,
    current,
    placement,
  })
  if (chosen !== null) return chosen
  const problem = startProblemOf(parts.runtimes.list())
  if (problem !== null) throw unisolated(problem)
  throw new OperationProblem('NoRuntime', {
    message: noRuntimeMessage(parts.runtimes, placement, current),
    action: 'unresolved',
  })
}

/** Throws if this server starts no sandboxes. */
export function requireStarts({ startProblem }: Pick<OperationParts, 'startProblem'>): void {
  if (startProblem !== null) throw unisolated(startProblem)
}

function unisolated(message: string): OperationProblem {
  return new OperationProblem('Unisolated', { message, action: 'unresolved' })
}

/** The problem of the live runtimes if none of them starts sandboxes; otherwise null. */
function startProblemOf(runtimes: readonly ListedRuntime[]): string | null {
  const live = runtimes.filter(({ isLive }) => isLive)
  const isBlocked = live.every(({ startProblem }) => startProblem !== null)
  return isBlocked ? (live[0]?.startProblem ?? null) : null
}

interface Candidates {
  readonly runtimes: readonly ListedRuntime[]
  /** Instances by runtime. */
  readonly counts: ReadonlyMap<string, number>
  /** The runtime with the sandbox's files, which cannot move; null if there is none. */
  readonly current: string | null
  readonly placement: Placement
}

/** The live runtime with the most free places; null if no runtime is suitable. */
export function pickRuntime({ runtimes, counts, current, placement }: Candidates): string | null {
  const free = ({ name, capacity }: ListedRuntime): number => capacity - (counts.get(name) ?? 0)
  const suitable = runtimes.filter(
    (runtime) =>
      runtime.isLive &&
      runtime.startProblem === null &&
      (current === null || runtime.name === current) &&
      (free(runtime) > 0 || runtime.name === current) &&
      isSuitable(runtime, placement),
  )
  const hasSnapshot = ({ name }: ListedRuntime) => Number(name === placement.snapshotRuntime)
  const [best] = suitable.toSorted(
    (a, b) => hasSnapshot(b) - hasSnapshot(a) || free(b) - free(a) || (a.name < b.name ? -1 : 1),
  )
  return best?.name ?? null
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
