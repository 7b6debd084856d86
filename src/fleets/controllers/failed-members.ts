import type { FleetRef } from '../members/fleet-members.ts'
import { type Backoff, backoffDelay } from '../../planes/controllers/runtime/backoff.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'

const BACKOFF: Backoff = { baseMs: 1000, maxMs: 300_000 }
const MAX_FLEETS = 10_000
/** A fleet with more failed members creates no further ones until the next attempt. */
export const MAX_FAILURES = 1000

interface Entry {
  readonly generation: number
  readonly failures: Map<string, string>
  /** Attempts in a row that have failed for a member. */
  attempts: number
  /** When failed members are tried again; null before the first failure of an attempt. */
  retryAt: number | null
}

interface Options {
  readonly now: () => number
  readonly random: () => number
}

/** The members that could not be created. They are tried again after a backoff. */
export class FailedMembers {
  readonly #entries = new BoundedMap<Entry>(MAX_FLEETS)
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Messages by name. Empty when the members are due for another attempt. */
  of(fleet: FleetRef): ReadonlyMap<string, string> {
    const entry = this.#entryOf(fleet)
    if (entry.retryAt !== null && entry.retryAt <= this.#options.now()) {
      entry.failures.clear()
      entry.retryAt = null
    }
    return entry.failures
  }

  add(fleet: FleetRef, failures: Iterable<readonly [name: string, message: string]>): void {
    const { now, random } = this.#options
    const entry = this.#entryOf(fleet)
    for (const [name, message] of failures) entry.failures.set(name, message)
    if (entry.failures.size === 0 || entry.retryAt !== null) return
    entry.attempts += 1
    entry.retryAt = now() + backoffDelay(BACKOFF, entry.attempts, random)
  }

  /** Milliseconds until the next attempt; null if no member has failed. */
  retryAfter(fleet: FleetRef): number | null {
    const { retryAt } = this.#entryOf(fleet)
    return retryAt === null ? null : Math.max(0, retryAt - this.#options.now())
  }

  /** The next reconciliation tries all members of the fleet again. */
  forget(uid: string): void {
    this.#entries.delete(uid)
  }

  /** Another generation may have other content, so its members are tried without delay. */
  #entryOf({ uid, generation }: FleetRef): Entry {
    const entry = this.#entries.get(uid)
    if (entry?.generation === generation) return entry
    const created = { generation, failures: new Map(), attempts: 0, retryAt: null }
    this.#entries.set(uid, created)
    return created
  }
}
