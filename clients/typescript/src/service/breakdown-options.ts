import type { CallOptions } from '../http/request.ts'

/** Options of breakdowns. */
export interface BreakdownOptions extends CallOptions {
  /** The kind of the resources, such as `Cluster`. */
  readonly kind: string
  /** Up to four of `adapter`, `reason`, `labels.<key>` and declared fields of the spec. */
  readonly by?: readonly string[] | undefined
  /** A TSL expression: only resources that match it count. */
  readonly search?: string | undefined
  /** The maximum number of rows, at most 200; the default is 50. */
  readonly limit?: number | undefined
}

/** Options of lists of adapters. */
export type AdapterListOptions = CallOptions & Pick<BreakdownOptions, 'kind'>
