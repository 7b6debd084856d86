import type { CallOptions } from '../http/request.ts'

/** Options of lists of audit events. */
export interface AuditListOptions extends CallOptions {
  /** A TSL expression over the members of events, except the bodies and `groups`. */
  readonly search?: string | undefined
  /** The maximum number of events, at most 1000; the default is 100. */
  readonly limit?: number | undefined
  /** The `next` of the previous page. */
  readonly before?: string | undefined
}
