import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { Report, SentReport } from '../model/report.ts'

/** How strictly a report is validated: POST is lenient, PUT is strict. */
export type Profile = 'lenient' | 'strict'

/** A report as it was sent, and the state that it is validated against. */
export interface ValidationInput {
  readonly report: SentReport
  readonly profile: Profile
  /** The adapter's stored report; null before its first one. */
  readonly stored: Omit<StatusRecord, 'data' | 'metadata'> | null
  /** The resource's generation. */
  readonly generation: number
  /** Whether the resource is being deleted. */
  readonly deleting: boolean
  readonly now: Date
}

/** The same input after `completeReport`. */
export interface CompleteInput extends Omit<ValidationInput, 'report'> {
  readonly report: Report
  /** Whether the adapter sent the time of its observation. */
  readonly isTimed: boolean
}
