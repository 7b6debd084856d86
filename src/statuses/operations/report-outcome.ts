import type { StatusRecord } from '../../core/model/status-record.ts'
import type { StoredReport } from '../storage/report-basis.ts'
import type { DiscardReason } from '../validation/validate-report.ts'
import type { SettledResource } from './known-reports.ts'

/** What became of a report. */
export type ReportOutcome =
  | { readonly stored: StatusRecord; readonly settled: SettledReport }
  | { readonly stored: StatusRecord }
  | { readonly discarded: DiscardReason }

/** A report of a resource whose conditions were found to follow from its reports. */
export interface SettledReport {
  readonly resource: SettledResource
  readonly report: StoredReport
}
