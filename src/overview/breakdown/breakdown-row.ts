/** Not-ready resources with the same values of the grouped fields. */
export interface BreakdownRow {
  /** Null unless grouped by adapter; also for resources that no adapter keeps from being ready. */
  readonly adapter: string | null
  readonly reason: string | null
  /** The values of labels and fields of the spec, in the order of the fields. */
  readonly values: readonly (string | null)[]
  readonly count: number
  /** Those with a required adapter that reports False at the current generation. The others wait. */
  readonly failing: number
  /** Resources, ready or not, with these values of labels and spec; null if there are too many. */
  readonly total: number | null
  /** Resources that have been in this state for at most an hour, and a day. */
  readonly lastHour: number
  readonly lastDay: number
  /** Since when the first of them has been in this state, and the last. */
  readonly oldest: string
  readonly newest: string
  /** The ID of the resource that was the last to enter the state. */
  readonly example: string
  /** The largest difference between the generation of a resource and that of a report behind it. */
  readonly generationsBehind: number | null
}

/** The not-ready resources of a kind in groups. */
export interface Breakdown {
  readonly total: number | null
  readonly notReady: number
  readonly failing: number
  /** Whether all not-ready resources are grouped. Otherwise the counts are estimates. */
  readonly isComplete: boolean
  /** Failing ones first, then those with the most resources. */
  readonly rows: readonly BreakdownRow[]
  /** The rows that were left out, and the sum of their counts. */
  readonly other: { readonly rows: number; readonly count: number }
}
