import type { Fleet as FleetObject } from '../generated/kplane.ts'
import { Fleet } from './fleet.ts'
import type { EphemeralFleetOptions } from './fleet-options.ts'
import type { FleetParts } from './fleet-parts.ts'

/** A fleet that is deleted at the end of `await using`. */
export class EphemeralFleet extends Fleet implements AsyncDisposable {
  readonly #options: Pick<EphemeralFleetOptions, 'deleteMembers' | 'onDeleteError'>

  constructor(
    parts: FleetParts,
    object: FleetObject,
    options: Pick<EphemeralFleetOptions, 'deleteMembers' | 'onDeleteError'>,
  ) {
    super(parts, object)
    this.#options = options
  }

  /** Deletes the fleet. Never rejects, because that would hide an exception of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { onDeleteError = this.#warn } = this.#options
    await this.deleteAtEnd().catch(onDeleteError)
  }

  /** Deletes the fleet, and its members if the options say so. */
  async deleteAtEnd(): Promise<void> {
    await this.delete({ members: this.#options.deleteMembers })
  }

  readonly #warn = (error: unknown): void => {
    console.warn(`the ephemeral fleet ${this.name} was not deleted`, error)
  }
}
