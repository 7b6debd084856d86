import type { ReportCase } from './report-case.ts'

type Outdated = 'future-generation' | 'stale-generation' | 'stale-observed-time'

/** Why a report is about another time than the resource's present one; null if it is not. */
export function outdated(input: ReportCase): Outdated | null {
  if (input.profile === 'strict' && isAhead(input)) return 'future-generation'
  if (isStale(input)) return 'stale-generation'
  return input.profile === 'strict' && isOlder(input) ? 'stale-observed-time' : null
}

function isAhead({ report, generation }: ReportCase): boolean {
  return report.observedGeneration > generation
}

/** An adapter that ran ahead of the resource may come back to a generation the resource has. */
function isStale({ report, stored, generation }: ReportCase): boolean {
  if (stored === null || report.observedGeneration >= stored.observedGeneration) return false
  const comesBack =
    stored.observedGeneration > generation && report.observedGeneration <= generation
  return !comesBack
}

/** Reports without a time are in the order of their arrival: clocks of servers differ. */
function isOlder({ report, stored, isTimed }: ReportCase): boolean {
  if (!isTimed) return false
  if (stored?.observedGeneration !== report.observedGeneration) return false
  return new Date(report.observedTime) < stored.observedTime
}
