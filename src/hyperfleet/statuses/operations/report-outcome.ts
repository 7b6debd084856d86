import type { ReportedResource } from '../../../store/model/resource.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { DiscardReason } from '../validation/validate-report.ts'

/** The fields of a stored report that responses contain. */
export type StoredReportFields = Omit<StatusRecord, 'available' | 'finalized' | 'observedTime'>

/** The tenant of the reported resource, and the fields that decide which adapters it requires. */
type RequiringResource = Pick<ReportedResource, 'tenant' | 'requiredAdapters' | 'deletedTime'>

export interface StoredOutcome {
  readonly stored: StoredReportFields
  /** How long after the change the report came, if it is the first one at its generation. */
  readonly latencyMs: number | null
  readonly resource: RequiringResource
}

/** The result of a report. */
export type ReportOutcome =
  | StoredOutcome
  | { readonly discarded: DiscardReason; readonly resource: RequiringResource }
