import type { StatusRecord } from '../../core/model/status-record.ts'
import type { DiscardReason } from '../validation/validate-report.ts'

/** The fields of a stored report that responses contain. */
export type StoredReportFields = Omit<StatusRecord, 'available' | 'finalized' | 'observedTime'>

export interface StoredOutcome {
  readonly stored: StoredReportFields
}

/** The result of a report. */
export type ReportOutcome = StoredOutcome | { readonly discarded: DiscardReason }
