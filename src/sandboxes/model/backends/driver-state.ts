/** A driver of a runtime that renews its lease. */
export interface DriverState {
  readonly name: string
  /** Kinds of stores; empty if the driver has its own store. */
  readonly stores: readonly string[]
  /** Why the driver cannot be used on its machine; null if it can. */
  readonly unavailableReason: string | null
}
