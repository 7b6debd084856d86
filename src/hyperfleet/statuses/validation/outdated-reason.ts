import { timeBeside } from '../../../lib/precise-date.ts'
import type { CompleteInput } from './validation-input.ts'

type OutdatedReason = 'future-generation' | 'stale-generation' | 'stale-observed-time'

/** Why a report is outdated or premature, or null if it is neither. */
export function outdatedReason(input: CompleteInput): OutdatedReason | null {
  if (input.profile === 'strict' && isAhead(input)) return 'future-generation'
  if (isStale(input)) return 'stale-generation'
  return input.profile === 'strict' && isOlder(input) ? 'stale-observed-time' : null
}

function isAhead({ report, generation }: CompleteInput): boolean {
  return report.observedGeneration > generation
}

/** An adapter that ran ahead of the resource may return to a generation that the resource has. */
function isStale({ report, stored, generation }: CompleteInput): boolean {
  if (stored === null || report.observedGeneration >= stored.observedGeneration) return false
  const returns = stored.observedGeneration > generation && report.observedGeneration <= generation
  return !returns
}

/** Reports without a time are ordered by arrival, because the clocks of servers differ. */
function isOlder({ report, stored, isTimed, now }: CompleteInput): boolean {
  if (!isTimed) return false
  if (stored?.observedGeneration !== report.observedGeneration) return false
  return timeBeside(now, report.observedTime) < stored.observedTime
}
