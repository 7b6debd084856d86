import type { Predicate } from '../../search/bind/predicate.ts'

/** Whether a search compares times that move with reports, without a change of the resource. */
export function comparesReportTimes(predicate: Predicate): boolean {
  switch (predicate.type) {
    case 'and':
    case 'or':
      return predicate.operands.some(comparesReportTimes)
    case 'time-compare':
      return predicate.operand.source === 'update'
    default:
      return false
  }
}
