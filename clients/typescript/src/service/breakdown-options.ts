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

/** Options of series. */
export interface SeriesOptions extends CallOptions {
  /** The kind whose adapters are included; without, all kinds that the caller may list. */
  readonly kind?: string | undefined
  /** The length of the series; the default is an hour. */
  readonly range?: 'hour' | 'day' | 'week' | undefined
  /** The end of the series, an RFC 3339 time within the last 7 days; the default is now. */
  readonly to?: string | undefined
}

/** Options of lists of adapters. */
export type AdapterListOptions = CallOptions & Pick<BreakdownOptions, 'kind'>
