import type { Violation } from '../../../lib/errors.ts'
import type { Report } from '../model/report.ts'

const MINUTE_MS = 60_000
const MAX_AHEAD_MINUTES = 5
const MAX_BEHIND_MINUTES = 30
const MANDATORY_TYPES = ['Available', 'Applied', 'Health']

/** All violations of the strict profile in a report that is not outdated. */
export function strictViolations(report: Report, now: Date): readonly Violation[] {
  return [...timeViolations(report, now), ...missingTypes(report)]
}

function timeViolations({ observedTime }: Report, now: Date): Violation[] {
  const aheadMs = new Date(observedTime).getTime() - now.getTime()
  if (aheadMs > MAX_AHEAD_MINUTES * MINUTE_MS) {
    return [timeViolation(`at most ${MAX_AHEAD_MINUTES} minutes ahead of`, observedTime, now)]
  }
  if (aheadMs < -MAX_BEHIND_MINUTES * MINUTE_MS) {
    return [timeViolation(`at most ${MAX_BEHIND_MINUTES} minutes behind`, observedTime, now)]
  }
  return []
}

function timeViolation(rule: string, observedTime: string, now: Date): Violation {
  const field = 'observed_time'
  const message = `${field} must be ${rule} the server's clock, which is at ${now.toISOString()}`
  return { field, message, constraint: 'window', value: observedTime }
}

function missingTypes({ conditions }: Report): Violation[] {
  const types = new Set(conditions.map(({ type }) => type))
  return MANDATORY_TYPES.filter((type) => !types.has(type)).map((type) => ({
    field: 'conditions',
    message: `conditions must have one of type ${type}`,
    constraint: 'contains',
  }))
}
