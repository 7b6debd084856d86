import type { FleetSpec } from '../generated/kplane.ts'
import type { CallOptions } from '../http/request.ts'

/** A fleet to create. */
export interface NewFleet extends FleetSpec {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/** Options of a fleet that is deleted after its use. */
export interface EphemeralFleetOptions extends Omit<NewFleet, 'name'> {
  /** A random name by default. */
  readonly name?: string | undefined
  /** Also deletes the members. Without it, they stay. */
  readonly deleteMembers?: boolean | undefined
  /**
   * Milliseconds until the creation, which waits for a fleet of this name that is being deleted, and
   * the deletion at the end fail with WaitTimeout. The default is 120 000.
   */
  readonly timeout?: number | undefined
  /**
   * Receives the failure of the deletion at the end of `await using`, which would otherwise hide an
   * exception of the block. The default prints a warning.
   */
  readonly onDeleteError?: ((error: unknown) => void) | undefined
  /** Aborts the creation. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a reset. */
export interface RecycleOptions extends CallOptions {
  /** The name of the only member. Without it, all members that need a reset. */
  readonly clusterID?: string | undefined
}

/** Options of a deletion. */
export interface DeleteFleetOptions {
  /** Also deletes the members. Without it, they stay. */
  readonly members?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}
