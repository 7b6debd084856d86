import type { Fleet as FleetObject } from '../generated/kplane.ts'
import { Fleet } from './fleet.ts'
import type { EphemeralFleetOptions } from './fleet-options.ts'
import type { FleetParts } from './fleet-parts.ts'

type EndOptions = Pick<EphemeralFleetOptions, 'deleteMembers' | 'onDeleteError' | 'timeout'>

/** A fleet that is deleted at the end of `await using`. */
export class EphemeralFleet extends Fleet implements AsyncDisposable {
  readonly #options: EndOptions

  constructor(parts: FleetParts, object: FleetObject, options: EndOptions) {
    super(parts, object)
    this.#options = options
  }

  /** Deletes the fleet and waits until it is removed. Never rejects, because that would hide an exception of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { onDeleteError = this.#warn } = this.#options
    await this.deleteAtEnd().catch(onDeleteError)
  }

  /** Deletes the fleet, and its members if the options say so, and waits until they are removed. */
  async deleteAtEnd(): Promise<void> {
    const { deleteMembers, timeout } = this.#options
    await this.delete({ members: deleteMembers })
    await this.waitUntilDeleted({ timeout })
  }

  readonly #warn = (error: unknown): void => {
    console.warn(`the ephemeral fleet ${this.name} was not removed`, error)
  }
}
