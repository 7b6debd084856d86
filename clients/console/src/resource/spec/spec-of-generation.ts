import type { ResourceChange } from '../../../../typescript/src/index.ts'

/** The parts of a resource that decide the spec of a generation. */
interface CurrentSpec {
  readonly generation: number
  readonly spec: Readonly<Record<string, unknown>>
}

/**
 * The spec that a resource had at an earlier generation, computed from its changes, newest first.
 * Null if the changes do not reach back to the change that ended the generation.
 */
export function specOfGeneration(
  current: CurrentSpec,
  generation: number,
  changes: readonly ResourceChange[],
): Readonly<Record<string, unknown>> | null {
  if (generation > current.generation) return null
  let spec: Readonly<Record<string, unknown>> | null = current.spec
  let reached = current.generation
  for (const change of changes) {
    if (reached <= generation) break
    // The changes can be newer than the resource on the page.
    if (change.generation > current.generation) continue
    if (change.generation > generation && change.spec !== undefined) spec = change.spec.old
    reached = endedGeneration(change, reached)
  }
  return reached <= generation ? spec : null
}

/** The generation before a change: only changes of the spec and a deletion increment it. */
function endedGeneration(change: ResourceChange, reached: number): number {
  const { type, generation, spec, fields } = change
  const isIncrement = type === 'deleted' || spec !== undefined || fields.includes('generation')
  return Math.min(reached, isIncrement && type !== 'created' ? generation - 1 : generation)
}
