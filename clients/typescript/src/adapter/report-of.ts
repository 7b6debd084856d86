import type { ReportedCondition } from '../generated/hyperfleet.ts'
import type { StatusReport } from '../resources/statuses.ts'
import type { AdapterResult } from './adapter-result.ts'

interface ReportSource {
  readonly adapter: string
  readonly generation: number
  readonly observedTime: Date
  readonly isFinalizing: boolean
}

/** The report of a result, in the strict profile. */
export function reportOf(
  result: AdapterResult,
  { adapter, generation, observedTime, isFinalizing }: ReportSource,
): StatusReport {
  const { available, reason, message, conditions = [], data } = result
  const applied = result.applied ?? (isFinalizing || available === 'True' ? 'True' : 'False')
  const finalized: readonly ReportedCondition[] =
    isFinalizing && result.finalized !== false ? [{ type: 'Finalized', status: 'True' }] : []
  return {
    adapter,
    observed_generation: generation,
    observed_time: observedTime.toISOString(),
    conditions: [
      { type: 'Available', status: available, reason, message },
      { type: 'Applied', status: applied },
      { type: 'Health', status: result.health ?? 'True' },
      ...finalized,
      ...conditions,
    ],
    data,
  }
}
