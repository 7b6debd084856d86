import type { FleetMember } from '../generated/kplane.ts'
import { WaitTimeout } from './wait-timeout.ts'

/** A fleet was not ready in time. */
export class FleetTimeout extends WaitTimeout {
  override readonly name = 'FleetTimeout'
  /** The names of the members that were not ready. */
  readonly missing: readonly string[]

  constructor(message: string, missing: readonly string[], options?: ErrorOptions) {
    super(message, options)
    this.missing = missing
  }
}

/** Members of a fleet cannot be created, so that waiting longer makes no sense. */
export class FleetDegraded extends Error {
  override readonly name = 'FleetDegraded'
  /** The failed members with their messages. */
  readonly failed: readonly FleetMember[]

  constructor(message: string, failed: readonly FleetMember[]) {
    super(message)
    this.failed = failed
  }
}
