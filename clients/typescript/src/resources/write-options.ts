import type { CallOptions } from '../http/request.ts'

/** Options of creates. */
export interface CreateOptions extends CallOptions {
  /** Makes the create safe to repeat for 24 hours. The default is a random key for each call. */
  readonly idempotencyKey?: string | undefined
  /** Validates the request and returns its result without storing it. */
  readonly dryRun?: boolean | undefined
}

/** Options of changes and deletions. */
export interface ChangeOptions extends CallOptions {
  /**
   * The entity tag of the version that the change is based on, from `getWithTag`. If the resource
   * has changed since, the call fails with PreconditionFailed. Such a call is not repeated after a
   * lost response.
   */
  readonly ifMatch?: string | undefined
  /** Validates the request and returns its result without storing it. */
  readonly dryRun?: boolean | undefined
}
