import type { KindOverview } from '../../../typescript/src/generated/hyperfleet.ts'
import { conditionType } from '../../../typescript/src/readiness/condition-type.ts'

/** An adapter that resources wait for. */
export interface NotReadyReason {
  readonly adapter: string
  readonly count: number
  /** Finds these resources; those whose report is only behind are among all that are not ready. */
  readonly search: string
}

const SHOWN = 8

/** The adapters that the most resources wait for. */
export function notReadyReasons({
  waiting_for: waiting,
}: Pick<KindOverview, 'waiting_for'>): readonly NotReadyReason[] {
  return waiting
    .filter(({ count }) => count > 0)
    .slice(0, SHOWN)
    .map(({ adapter, count }) => ({ adapter, count, search: searchFor(adapter) }))
}

function searchFor(adapter: string): string {
  const field = `status.conditions.${conditionType(adapter)}`
  return `status.conditions.Ready='False' and (${field} is null or ${field}='False')`
}
