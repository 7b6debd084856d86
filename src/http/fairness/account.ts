/** The time after which what a caller has spent counts half. */
const HALF_LIFE_MS = 1000
/** The weights of a request in the average: costs that rise count sooner than those that fall. */
const RISING = 0.5
const FALLING = 0.1

/** The use of the server by a caller. */
export class Account<Pending> {
  /** The seats of its requests in flight. */
  inUse = 0
  /** Its requests that wait for a state, without seats. */
  resting = 0
  /** Its requests that wait for seats: first those that have had some, then those that have not. */
  readonly waiting: Pending[] = []
  readonly #now: () => number
  #average: number | null = null
  #spent = 0
  #spentAt = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Milliseconds of the main thread per request; null before the first one has ended. */
  get average(): number | null {
    return this.#average
  }

  /** Milliseconds of the main thread, of which old ones count less. */
  get debt(): number {
    return this.#spent * 2 ** ((this.#spentAt - this.#now()) / HALF_LIFE_MS)
  }

  /** Whether the debt is at least this. Most requests need no computation of the debt for it. */
  owes(milliseconds: number): boolean {
    return this.#spent >= milliseconds && this.debt >= milliseconds
  }

  pay(milliseconds: number): void {
    this.#spent = this.debt + milliseconds
    this.#spentAt = this.#now()
  }

  /** A request has cost at least this; it may be still running. */
  learn(milliseconds: number): void {
    const average = this.#average ?? milliseconds
    const weight = milliseconds > average ? RISING : FALLING
    this.#average = average + (milliseconds - average) * weight
  }
}
