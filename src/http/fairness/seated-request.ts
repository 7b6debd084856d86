import type { Payer } from '../../lib/tracing/main-thread.ts'
import type { Account } from './account.ts'
import type { ClassLimits } from './flow-control.ts'

/** A request with this number of seats is heavy. */
export const HEAVY_SEATS = 20

/** A queue has too many requests, or they wait for too long, or their class rejects them. */
export class NoSeat extends Error {
  readonly retrySeconds: number

  constructor(message: string, retrySeconds: number) {
    super(message)
    this.retrySeconds = retrySeconds
  }
}

/** The seats of a request. It pays for the slices of the main thread. */
export interface Seat extends Payer {
  /** Gives the seats back, or ends the wait for them. After `resume`, the wait then resolves. */
  release(): void
  /** The client has disconnected. Expensive work may continue, and keeps its seats. */
  abandon(): void
  /** Gives the seats back until `resume`. The request keeps them if too many of its queue rest. */
  rest(): void
  /**
   * Takes seats again after `rest`, before requests that have not started. Null if the request may
   * continue now.
   */
  resume(): Promise<void> | null
}

/** The requests of a class. */
export interface ClassCounts {
  seats: number
  /** Requests that wait for seats. */
  waiting: number
  /** Requests that wait for a state, without seats. */
  resting: number
  rejected: number
  waitedMs: number
}

/** A class keeps its counts when its limits change. */
export interface SeatedClass extends ClassCounts {
  limits: ClassLimits
}

/** The operations of the seats that a request uses. */
export interface SeatOwner {
  readonly givesWay: (account: Account<SeatedRequest>) => boolean
  readonly end: (request: SeatedRequest) => void
  readonly abandon: (request: SeatedRequest) => void
  /** False if the request keeps its seats. */
  readonly rest: (request: SeatedRequest) => boolean
  readonly resume: (request: SeatedRequest) => Promise<void> | null
}

/** A class, because every request has one: an object with getters and closures costs more. */
export class SeatedRequest implements Seat {
  readonly account: Account<SeatedRequest>
  readonly requestClass: SeatedClass
  /** The size of the body; 0 if unknown. */
  readonly bytes: number
  readonly #owner: SeatOwner
  /** Its seats. They follow the costs of its caller until it starts. */
  width = 0
  since: number
  /** The sweeps since the thread worked for it, without those of a busy thread. */
  idleSweeps = 0
  isAbandoned = false
  state: 'waiting' | 'in flight' | 'resting' | 'ended' = 'waiting'
  /** Whether it has had seats. It then precedes those that have not started. */
  hasStarted = false
  start: (() => void) | null = null
  fail: ((error: NoSeat) => void) | null = null
  /** Milliseconds of the main thread since it started or rested. */
  #spent = 0

  constructor(
    owner: SeatOwner,
    asked: Pick<SeatedRequest, 'account' | 'requestClass' | 'bytes' | 'since'>,
  ) {
    this.#owner = owner
    this.account = asked.account
    this.requestClass = asked.requestClass
    this.bytes = asked.bytes
    this.since = asked.since
  }

  get debt(): number {
    return this.account.debt
  }

  get givesWay(): boolean {
    return this.#owner.givesWay(this.account)
  }

  pay(milliseconds: number): void {
    const { account } = this
    this.#spent += milliseconds
    this.idleSweeps = 0
    account.pay(milliseconds)
    // A long request counts before it ends.
    if (this.#spent > (account.average ?? 0)) account.learn(this.#spent)
  }

  release(): void {
    if (this.state === 'ended') return
    if (this.state === 'in flight') this.account.learn(this.#spent)
    this.#owner.end(this)
  }

  abandon(): void {
    if (this.state !== 'in flight' || this.width < HEAVY_SEATS) this.release()
    else if (!this.isAbandoned) this.#owner.abandon(this)
  }

  rest(): void {
    if (this.isAbandoned) this.release()
    if (this.state !== 'in flight' || !this.#owner.rest(this)) return
    this.account.learn(this.#spent)
    this.#spent = 0
  }

  resume(): Promise<void> | null {
    return this.state === 'resting' ? this.#owner.resume(this) : null
  }
}
