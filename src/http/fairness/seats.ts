import { must } from '../../lib/assert.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Payer } from '../../lib/tracing/main-thread.ts'
import { Account } from './account.ts'
import type { ClassLimits } from './flow-control.ts'
import { CLASS_SEATS, REQUEST_CLASSES } from './request-class.ts'

const SEATS = 128
/** The seats of one caller. */
const CALLER_SEATS = 64
/** The seats of a request of a caller whose requests have no known cost. */
const UNKNOWN_SEATS = 16
const MS_PER_SEAT = 1
const BYTES_PER_SEAT = 64 * 1024
/** A request with this number of seats is heavy. */
const HEAVY_SEATS = 20
/** Further seats are left to requests that are not heavy. */
const SEATS_WITH_HEAVY = 96
/** A caller that has used the thread for less does not give way. */
const MIN_DEBT_MS = 100
/** It gives way to callers that have used the thread this many times less. */
const MUCH_LESS = 4
/** But not to requests that take longer. They wait for something else. */
const MAX_SHORT_MS = 1000
const SWEEP_MS = 100
/** A request gives its seats back if the thread was free this often and did not work for it. */
const IDLE_SWEEPS = 3
const MAX_HOLD_MS = 10_000
/** Requests of one queue that wait, however cheap they are. */
export const MAX_WAITING = 2000
/** Long, because a burst of one caller is served as fast as without seats. Clients end earlier. */
const MAX_WAIT_MS = 120_000
const MAX_CALLERS = 20_000
const MAX_RETRY_SECONDS = 30

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
  /** Gives the seats back, or ends the wait for them. */
  release(): void
  /** The client has disconnected. Expensive work may continue, and keeps its seats. */
  abandon(): void
}

interface Wanted {
  /** The queue: that of the caller, unless an administrator has configured classes. */
  readonly key: string
  readonly requestClass: string
  /** The size of the body; 0 if unknown. */
  readonly bytes: number
}

/** The operations of the seats that a request uses. */
interface SeatOwner {
  readonly givesWay: (account: Account<Request>) => boolean
  readonly end: (request: Request) => void
  readonly abandon: (request: Request) => void
}

/** A class, because every request has one: an object with getters and closures costs more. */
class Request implements Seat, Pick<Wanted, 'bytes'> {
  readonly account: Account<Request>
  readonly requestClass: RequestClass
  readonly bytes: number
  readonly #owner: SeatOwner
  /** Its seats. They follow the costs of its caller until it starts. */
  width = 0
  since: number
  /** The sweeps since the thread worked for it, without those of a busy thread. */
  idleSweeps = 0
  isAbandoned = false
  state: 'waiting' | 'in flight' | 'ended' = 'waiting'
  start: (() => void) | null = null
  fail: ((error: NoSeat) => void) | null = null
  #spent = 0

  constructor(
    owner: SeatOwner,
    asked: Pick<Request, 'account' | 'requestClass' | 'bytes' | 'since'>,
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
}

/** The requests of a class. */
interface ClassCounts {
  seats: number
  waiting: number
  rejected: number
  waitedMs: number
}

/** A class keeps its counts when its limits change. */
interface RequestClass extends ClassCounts {
  limits: ClassLimits
}

/** The limits of the classes that every server has. */
export const DEFAULT_CLASSES: ReadonlyMap<string, ClassLimits> = new Map(
  REQUEST_CLASSES.map((name) => [
    name,
    { seats: CLASS_SEATS[name], maxSeats: Infinity, rejects: false, maxWaiting: MAX_WAITING },
  ]),
)

interface Options {
  /** In milliseconds. */
  readonly now: () => number
  /** Whether the main thread was busy since the last call. */
  readonly wasBusy: () => boolean
}

/**
 * Distributes the main thread among callers. The seats of a request follow from the size of its
 * body and from the time that the last requests of its caller took. Each caller has a queue; of
 * those that wait, the class with the fewest of its seats and the caller with the least debt start
 * first.
 */
export class Seats {
  readonly #classes = new Map<string, RequestClass>()
  readonly #now: () => number
  readonly #wasBusy: () => boolean
  readonly #accounts = new BoundedMap<Account<Request>>(MAX_CALLERS)
  /** The callers with requests that wait. */
  readonly #queues = new Set<Account<Request>>()
  readonly #inFlight = new Set<Request>()
  #abandoned = 0
  #inUse = 0
  /** The heavy requests in flight. */
  #heavy = 0
  #timer: NodeJS.Timeout | null = null
  readonly #owner: SeatOwner = {
    givesWay: (account) => this.#givesWay(account),
    end: (request) => this.#end(request),
    abandon: (request) => {
      request.isAbandoned = true
      this.#abandoned += 1
      this.#startSweeping()
    },
  }

  constructor({ now, wasBusy }: Options) {
    this.#now = now
    this.#wasBusy = wasBusy
    this.configure(DEFAULT_CLASSES)
  }

  /** The requests of the classes by their names. */
  get counts(): ReadonlyMap<string, Readonly<ClassCounts>> {
    return this.#classes
  }

  /**
   * Replaces the classes. Requests in flight keep their seats, and those that wait find the new
   * limits. Classes of the same name keep their counts. Requests that wait in a removed class get
   * the limits of users, so that they cannot wait in vain.
   */
  configure(classes: ReadonlyMap<string, ClassLimits>): void {
    for (const [name, removed] of this.#classes) {
      if (classes.has(name)) continue
      removed.limits = must(DEFAULT_CLASSES.get('users'), 'a class')
      this.#classes.delete(name)
    }
    for (const [name, limits] of classes) {
      const existing = this.#classes.get(name)
      if (existing) existing.limits = limits
      else this.#classes.set(name, { limits, seats: 0, waiting: 0, rejected: 0, waitedMs: 0 })
    }
  }

  /** Takes seats. `ready` is null if the request may start now; it rejects with {@link NoSeat}. */
  take({ key, requestClass, bytes }: Wanted): { seat: Seat; ready: Promise<void> | null } {
    const account = this.#accountOf(key)
    const request = new Request(this.#owner, {
      account,
      requestClass: must(this.#classes.get(requestClass), 'a class'),
      bytes,
      since: this.#now(),
    })
    if (account.waiting.length === 0 && this.#mayStart(request)) {
      this.#start(request)
      return { seat: request, ready: null }
    }
    return { seat: request, ready: this.#wait(request) }
  }

  #accountOf(key: string): Account<Request> {
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    const account = new Account<Request>(this.#now)
    this.#accounts.set(key, account)
    return account
  }

  #givesWay(debtor: Account<Request>): boolean {
    if (!debtor.owes(MIN_DEBT_MS)) return false
    const { debt } = debtor
    const now = this.#now()
    for (const { account, since } of this.#inFlight) {
      if (now - since < MAX_SHORT_MS && account.debt * MUCH_LESS < debt) return true
    }
    return false
  }

  #mayStart(request: Request): boolean {
    const { account, requestClass, bytes } = request
    const { seats, limits } = requestClass
    const width = widthOf(account, bytes)
    request.width = width
    if (account.inUse + width > CALLER_SEATS) return false
    if (!hasSpace(seats, width, limits.maxSeats)) return false
    const isHeavy = width >= HEAVY_SEATS
    if (this.#inUse + width <= (isHeavy ? SEATS_WITH_HEAVY : SEATS)) return true
    // Many cheap requests cannot keep an expensive one from starting.
    if (isHeavy && this.#heavy === 0) return true
    return hasSpace(seats, width, limits.seats)
  }

  #start(request: Request): void {
    const { account, requestClass, width } = request
    request.state = 'in flight'
    request.since = this.#now()
    account.inUse += width
    this.#inUse += width
    if (width >= HEAVY_SEATS) this.#heavy += 1
    requestClass.seats += width
    this.#inFlight.add(request)
  }

  #wait(request: Request): Promise<void> {
    const { account, requestClass } = request
    const { limits } = requestClass
    const { length } = account.waiting
    const isTooLong = length >= limits.maxWaiting || length * (account.average ?? 0) > MAX_WAIT_MS
    if (limits.rejects || isTooLong) {
      request.state = 'ended'
      requestClass.rejected += 1
      return Promise.reject(limits.rejects ? rejectedByClass() : waitsTooLong(account))
    }
    requestClass.waiting += 1
    account.waiting.push(request)
    this.#queues.add(account)
    this.#startSweeping()
    return new Promise((resolve, reject) => {
      request.start = resolve
      request.fail = reject
    })
  }

  #end(request: Request): void {
    const { account, requestClass, width, state } = request
    request.state = 'ended'
    if (state === 'waiting') {
      this.#leaveQueue(request)
      return
    }
    account.inUse -= width
    this.#inUse -= width
    if (width >= HEAVY_SEATS) this.#heavy -= 1
    requestClass.seats -= width
    this.#inFlight.delete(request)
    if (request.isAbandoned) this.#abandoned -= 1
    if (this.#queues.size > 0) this.#startWaiting()
  }

  #leaveQueue(request: Request): void {
    const { account, requestClass, since } = request
    requestClass.waiting -= 1
    requestClass.waitedMs += this.#now() - since
    account.waiting.splice(account.waiting.indexOf(request), 1)
    if (account.waiting.length === 0) this.#queues.delete(account)
  }

  #startWaiting(): void {
    for (;;) {
      const next = this.#next()
      if (next === null) return
      this.#leaveQueue(next)
      this.#start(next)
      next.start?.()
    }
  }

  /** The first request of the caller that is next, of those that may start. */
  #next(): Request | null {
    let found: Request | null = null
    for (const { waiting } of this.#queues) {
      const [first] = waiting
      if (first === undefined || !this.#mayStart(first)) continue
      if (found === null || this.#precedes(first, found)) found = first
    }
    return found
  }

  #precedes(first: Request, second: Request): boolean {
    if (first.requestClass === second.requestClass) return first.debt < second.debt
    return usageOf(first.requestClass) < usageOf(second.requestClass)
  }

  #startSweeping(): void {
    if (this.#timer !== null) return
    this.#wasBusy()
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /** Runs while requests wait. */
  #sweep(): void {
    const now = this.#now()
    const sweeps = this.#wasBusy() ? 0 : 1
    for (const request of this.#inFlight) {
      // A class that rejects limits the requests in flight, also those that wait for the database.
      if (request.requestClass.limits.rejects && !request.isAbandoned) continue
      request.idleSweeps += sweeps
      if (request.idleSweeps >= IDLE_SWEEPS || now - request.since >= MAX_HOLD_MS) request.release()
    }
    for (const { waiting } of this.#queues) {
      for (const request of waiting.filter(({ since }) => now - since > MAX_WAIT_MS)) {
        request.state = 'ended'
        this.#leaveQueue(request)
        request.requestClass.rejected += 1
        request.fail?.(waitsTooLong(request.account))
      }
    }
    this.#startWaiting()
    if (this.#queues.size > 0 || this.#abandoned > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

function widthOf({ average }: Account<Request>, bytes: number): number {
  const byCost = average === null ? UNKNOWN_SEATS : Math.ceil(average / MS_PER_SEAT)
  return Math.min(Math.max(byCost, Math.ceil(bytes / BYTES_PER_SEAT), 1), CALLER_SEATS)
}

/** Whether a class with these seats in use can take more. A request that is too wide needs all of them. */
function hasSpace(inUse: number, width: number, max: number): boolean {
  return max > 0 && inUse + Math.min(width, max) <= max
}

function usageOf({ seats, limits }: RequestClass): number {
  return seats / Math.max(limits.seats, 1)
}

function rejectedByClass(): NoSeat {
  return new NoSeat('Too many requests of this class are in flight', 1)
}

function waitsTooLong(account: Account<Request>): NoSeat {
  return new NoSeat('Too many requests wait in this queue', retrySecondsOf(account))
}

/** The time until the requests that wait have been served. */
function retrySecondsOf({ waiting, average }: Account<Request>): number {
  const seconds = Math.ceil((waiting.length * (average ?? 0)) / 1000)
  return Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS)
}
