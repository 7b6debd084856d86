import type { CallOptions } from '../http/request.ts'

/** Options of lists of changes and of the history. */
export interface ChangeListOptions extends CallOptions {
  /** The maximum number of changes, at most 200; the default is 50. */
  readonly limit?: number | undefined
  /** The `next` of the previous page. */
  readonly before?: string | undefined
}
