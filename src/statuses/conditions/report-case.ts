import type { StatusRecord } from '../../core/model/status-record.ts'
import type { Report, SentReport } from '../model/report.ts'

/** How much is asked of a report: POST is lenient, PUT is strict. */
export type Profile = 'lenient' | 'strict'

/** A report as it was sent, and everything that decides about it. */
export interface SentCase {
  readonly report: SentReport
  readonly profile: Profile
  /** The adapter's row, null before its first report. */
  readonly stored: Omit<StatusRecord, 'data' | 'metadata'> | null
  /** The resource's generation. */
  readonly generation: number
  /** Whether the resource is being deleted. */
  readonly deleting: boolean
  readonly now: Date
}

/** The same with a complete report. */
export interface ReportCase extends Omit<SentCase, 'report'> {
  readonly report: Report
  /** Whether the adapter sent the time of its observation. */
  readonly isTimed: boolean
}
