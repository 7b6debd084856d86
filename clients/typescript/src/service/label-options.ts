import type { CallOptions } from '../http/request.ts'

/** Options of lists of label keys. */
export interface LabelKeyOptions extends CallOptions {
  /** A kind, such as `Cluster`; without it, all kinds. */
  readonly kind?: string | undefined
  /** Only keys that begin with this text. */
  readonly prefix?: string | undefined
  /** The maximum number of items, at most 1000; the default is 50. */
  readonly limit?: number | undefined
}

/** Options of lists of label values. */
export interface LabelValueOptions extends LabelKeyOptions {
  /** The label whose values are listed. */
  readonly key: string
}
