import type { AdapterStatus } from '../model/report.ts'
import type { DiscardReason } from '../status/judge-report.ts'

/** What became of a report. */
export type ReportOutcome =
  | { readonly stored: AdapterStatus }
  | { readonly discarded: DiscardReason }
