import type { AdapterStatus, Report } from '../model/report.ts'

/** How much is asked of a report: POST is lenient, PUT is strict. */
export type Profile = 'lenient' | 'strict'

/** A report and all that it is judged by. */
export interface ReportCase {
  readonly report: Report
  readonly profile: Profile
  /** The adapter's row, null before its first report. */
  readonly stored: Omit<AdapterStatus, 'data' | 'metadata'> | null
  /** The resource's generation. */
  readonly generation: number
  /** Whether the resource is being deleted. */
  readonly deleting: boolean
  readonly now: Date
}
