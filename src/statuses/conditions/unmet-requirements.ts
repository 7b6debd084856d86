import type { Requirement } from './requirement.ts'

/** What keeps the required adapters from all being True at `generation`, in words for people. */
export function unmetRequirements(
  requirements: readonly Requirement[],
  generation: number,
): readonly string[] {
  return requirements
    .map((requirement) => shortfall(requirement, generation))
    .filter((words) => words !== null)
}

function shortfall({ adapter, available }: Requirement, generation: number): string | null {
  if (available === null) return `${adapter} is missing`
  const at = available.observed_generation
  if (at < generation) return `${adapter} is behind (generation ${at})`
  if (at > generation) return `${adapter} is ahead (generation ${at})`
  return available.status === 'False' ? `${adapter} reports False` : null
}
