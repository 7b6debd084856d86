import type { CallOptions } from '../http/request.ts'

/** Options of lists. */
export interface ListOptions extends CallOptions {
  /** A TSL expression, such as `labels.environment='production'`. */
  readonly search?: string | undefined
  /**
   * A list of `field [asc|desc]`. Without it, resources come in the order of their IDs, which no
   * concurrent change can disturb. In another order, a resource whose field changes during the read
   * can be missed or come twice. Servers without cursors and lists across shards have numbered pages
   * in that order: a resource that is removed meanwhile can hide another one.
   */
  readonly orderBy?: string | undefined
  /** A list of fields, such as `name,status`: the items have only these and `id`. */
  readonly fields?: string | undefined
  /** Items per page, at most 1000, which is the default. */
  readonly pageSize?: number | undefined
  /** Includes everything up to this resource version or write token. */
  readonly minResourceVersion?: string | undefined
  /** The shard that a system reads. Without it, the list contains all shards. */
  readonly shard?: string | undefined
}
