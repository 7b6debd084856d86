import type { AdapterState } from '../../core/model/report.ts'
import type { ReportTime } from './reflect-times.ts'

/** What the times of conditions need to know of an adapter's state. */
export function reportTimeOf({ adapter, available, lastReportTime }: AdapterState): ReportTime {
  return { adapter, availableGeneration: available?.observed_generation ?? null, lastReportTime }
}
