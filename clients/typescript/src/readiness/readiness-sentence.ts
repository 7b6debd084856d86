import type { ReadinessRequirement, ReadinessResource } from './readiness-requirement.ts'
import { durationText } from './duration-text.ts'

interface Input {
  readonly resource: ReadinessResource
  /** Null if the kind has no conditions. */
  readonly ready: boolean | null
  readonly requirements: readonly ReadinessRequirement[]
  readonly now: Date
}

/** A shorter time is not worth mentioning. */
const SECOND_MS = 1000

/** Explains in one sentence whether a resource is ready, and if not, why. */
export function readinessSentence({ resource, ready, requirements, now }: Input): string {
  const { name, generation } = resource
  const unmet = requirements
    .filter(({ state }) => state !== 'satisfied')
    .map((requirement) => clauseOf(requirement, generation, now))
  if (resource.deleted_time !== undefined) {
    const age = durationText(now.getTime() - Date.parse(resource.deleted_time))
    const cause = unmet.length > 0 ? listed(unmet) : 'its adapters are done, but children are left'
    return `${name} is being deleted, as requested ${age} ago: ${cause}.`
  }
  if (ready === null) return `${name} has no readiness: adapters do not report on its kind.`
  if (ready) return `${name} is ready at generation ${generation}${allOf(requirements)}.`
  if (requirements.length === 0) {
    return `${name} is not ready and never will be: its kind has no required adapters.`
  }
  if (unmet.length === 0) {
    return `${name} is not ready yet, although all required adapters report True: its conditions follow in a moment.`
  }
  return `${name} is not ready: ${listed(unmet)}.`
}

function allOf(requirements: readonly ReadinessRequirement[]): string {
  const [first, ...others] = requirements
  if (first === undefined) return ''
  if (others.length === 0) return `: ${first.adapter} reports True`
  return `: all ${requirements.length} required adapters report True`
}

function clauseOf(requirement: ReadinessRequirement, generation: number, now: Date): string {
  const { adapter, state, observedGeneration, since } = requirement
  const passed = since === null ? 0 : now.getTime() - Date.parse(since)
  const age = passed < SECOND_MS ? '' : ` for ${durationText(passed)}`
  switch (state) {
    case 'missing':
      return `${adapter} has not reported${age}`
    case 'unknown':
      return `${adapter} has reported neither True nor False${age}${detailOf(requirement)}`
    case 'behind':
      return `${adapter} is at generation ${observedGeneration} and has not observed generation ${generation}${age}`
    case 'ahead':
      return `${adapter} reports generation ${observedGeneration}, which does not exist yet`
    case 'false':
      return `${adapter} has reported False${age}${detailOf(requirement)}`
    case 'unfinalized':
      return `${adapter} has not finished its clean-up${age}`
    case 'satisfied':
      return `${adapter} reports True`
  }
}

function detailOf({ reason, message }: ReadinessRequirement): string {
  const parts = [reason, message].filter((part) => part !== null && part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(': ')})`
}

function listed(clauses: readonly string[]): string {
  return clauses.length < 3
    ? clauses.join(' and ')
    : `${clauses.slice(0, -1).join(', ')} and ${clauses.at(-1)}`
}
