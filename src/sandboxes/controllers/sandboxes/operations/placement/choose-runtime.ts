import type { OperationParts } from '../operation-parts.ts'
import type { OperationRun } from '../operation-run.ts'
import {
  type Candidates,
  type Chosen,
  isWall,
  pickRuntime,
  type Placement,
} from './pick-runtime.ts'
import { placementProblem, unisolated } from './placement-problem.ts'
import { requiredImage } from '../required-image.ts'

/**
 * The runtime for the next instance. Files that exist on a runtime keep the sandbox there, unless a
 * snapshot contains them. A sandbox keeps the class of its first start unless its spec names another.
 */
export async function chooseRuntime(run: OperationRun, placement: Placement): Promise<Chosen> {
  const { parts, state, sandbox } = run
  const workload = sandbox?.spec.workload
  const needsFiles = placement.driver === null && placement.ignoresFiles !== true
  const runtimes = parts.runtimes.list()
  const isResume = placement.driver !== null
  const users = { tenant: await parts.tenantOf(state.plane), namespace: state.namespace }
  const candidates: Candidates = {
    runtimes,
    counts: await parts.records.countInstances(),
    current: needsFiles ? state.runtime : null,
    placement,
    wanted: workload?.isolationClass ?? state.isolationClass,
    consent: parts.startProblem,
    network: workload?.network?.mode ?? null,
    image: workload ? requiredImage(workload, state, { runtimes, isResume, users }) : null,
    usesApi: workload !== undefined && workload.apiAccount !== null,
  }
  const chosen = pickRuntime(candidates)
  if (chosen !== null) return chosen
  const isRecorded = workload?.isolationClass === null
  throw placementProblem(candidates, { directory: parts.runtimes, isRecorded })
}

/** Throws if this server does not start sandboxes of the class. */
export function requireStarts(
  { startProblem }: Pick<OperationParts, 'startProblem'>,
  isolationClass: string | null,
): void {
  if (startProblem !== null && !isWall(isolationClass)) throw unisolated(startProblem)
}
