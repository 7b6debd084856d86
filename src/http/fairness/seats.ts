import { must } from '../../lib/assert.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { Account } from './account.ts'
import type { ClassLimits } from './flow-control.ts'
import { CLASS_SEATS, REQUEST_CLASSES } from './request-class.ts'
import {
  type ClassCounts,
  HEAVY_SEATS,
  NoSeat,
  type Seat,
  type SeatedClass,
  SeatedRequest,
  type SeatOwner,
} from './seated-request.ts'

const SEATS = 128
/** The seats of one caller. */
const CALLER_SEATS = 64
/** The seats of a request of a caller whose requests have no known cost. */
const UNKNOWN_SEATS = 16
const MS_PER_SEAT = 1
const BYTES_PER_SEAT = 64 * 1024
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
/** Requests of one queue that wait for seats, however cheap they are, and that wait without seats. */
export const MAX_WAITING = 2000
/** Long, because a burst of one caller is served as fast as without seats. Clients end earlier. */
const MAX_WAIT_MS = 120_000
const MAX_CALLERS = 20_000
const MAX_RETRY_SECONDS = 30

interface Wanted {
  /** The queue: that of the caller, unless an administrator has configured classes. */
  readonly key: string
  readonly requestClass: string
  /** The size of the body; 0 if unknown. */
  readonly bytes: number
}

/** The limits of the classes that every server has. */
export const DEFAULT_CLASSES: ReadonlyMap<string, ClassLimits> = new Map(
  REQUEST_CLASSES.map((name) => [
    name,
    { seats: CLASS_SEATS[name], maxSeats: Infinity, rejects: false, maxWaiting: MAX_WAITING },
  ]),
)

const NO_REQUESTS: ClassCounts = { seats: 0, waiting: 0, resting: 0, rejected: 0, waitedMs: 0 }

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
  readonly #classes = new Map<string, SeatedClass>()
  readonly #now: () => number
  readonly #wasBusy: () => boolean
  readonly #accounts = new BoundedMap<Account<SeatedRequest>>(MAX_CALLERS)
  /** The callers with requests that wait. */
  readonly #queues = new Set<Account<SeatedRequest>>()
  readonly #inFlight = new Set<SeatedRequest>()
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
    rest: (request) => this.#rest(request),
    resume: (request) => this.#resume(request),
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
      else this.#classes.set(name, { ...NO_REQUESTS, limits })
    }
  }

  /** Takes seats. `ready` is null if the request may start now; it rejects with {@link NoSeat}. */
  take({ key, requestClass, bytes }: Wanted): { seat: Seat; ready: Promise<void> | null } {
    const account = this.#accountOf(key)
    const request = new SeatedRequest(this.#owner, {
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

  #accountOf(key: string): Account<SeatedRequest> {
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    const account = new Account<SeatedRequest>(this.#now)
    this.#accounts.set(key, account)
    return account
  }

  #givesWay(debtor: Account<SeatedRequest>): boolean {
    if (!debtor.owes(MIN_DEBT_MS)) return false
    const { debt } = debtor
    const now = this.#now()
    for (const { account, since } of this.#inFlight) {
      if (now - since < MAX_SHORT_MS && account.debt * MUCH_LESS < debt) return true
    }
    return false
  }

  #mayStart(request: SeatedRequest): boolean {
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

  #start(request: SeatedRequest): void {
    const { account, requestClass, width } = request
    request.state = 'in flight'
    request.hasStarted = true
    request.since = this.#now()
    account.inUse += width
    this.#inUse += width
    if (width >= HEAVY_SEATS) this.#heavy += 1
    requestClass.seats += width
    this.#inFlight.add(request)
  }

  #wait(request: SeatedRequest): Promise<void> {
    const { account, requestClass } = request
    const { limits } = requestClass
    const { length } = account.waiting
    const isTooLong = length >= limits.maxWaiting || length * (account.average ?? 0) > MAX_WAIT_MS
    if (limits.rejects || isTooLong) {
      request.state = 'ended'
      requestClass.rejected += 1
      return Promise.reject(limits.rejects ? rejectedByClass() : waitsTooLong(account))
    }
    account.waiting.push(request)
    return this.#queue(request)
  }

  /** Resolves when a request that is in the queue of its caller starts. */
  #queue(request: SeatedRequest): Promise<void> {
    request.requestClass.waiting += 1
    this.#queues.add(request.account)
    this.#startSweeping()
    return new Promise((resolve, reject) => {
      request.start = resolve
      request.fail = reject
    })
  }

  /** False if the request keeps its seats. */
  #rest(request: SeatedRequest): boolean {
    const { account, requestClass } = request
    const { limits } = requestClass
    // A class that rejects limits the requests in flight, also those that wait.
    if (limits.rejects || account.resting >= limits.maxWaiting) return false
    request.state = 'resting'
    account.resting += 1
    requestClass.resting += 1
    this.#free(request)
    return true
  }

  /** Is never rejected for the length of the queue or of the wait: it may have changed something. */
  #resume(request: SeatedRequest): Promise<void> | null {
    const { account } = request
    this.#stopResting(request)
    request.since = this.#now()
    const isNext = account.waiting[0]?.hasStarted !== true
    if (isNext && this.#mayStart(request)) {
      this.#start(request)
      return null
    }
    request.state = 'waiting'
    const index = account.waiting.findIndex(({ hasStarted }) => !hasStarted)
    account.waiting.splice(index === -1 ? account.waiting.length : index, 0, request)
    return this.#queue(request)
  }

  #stopResting({ account, requestClass }: SeatedRequest): void {
    account.resting -= 1
    requestClass.resting -= 1
  }

  #end(request: SeatedRequest): void {
    const { state } = request
    request.state = 'ended'
    if (state === 'waiting') {
      this.#leaveQueue(request)
      // A request that has not started must not start. Others release their resources.
      if (request.hasStarted) request.start?.()
    } else if (state === 'resting') this.#stopResting(request)
    else this.#free(request)
  }

  /** Gives the seats of a request in flight to those that wait. */
  #free(request: SeatedRequest): void {
    const { account, requestClass, width } = request
    account.inUse -= width
    this.#inUse -= width
    if (width >= HEAVY_SEATS) this.#heavy -= 1
    requestClass.seats -= width
    this.#inFlight.delete(request)
    if (request.isAbandoned) this.#abandoned -= 1
    if (this.#queues.size > 0) this.#startWaiting()
  }

  #leaveQueue(request: SeatedRequest): void {
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
  #next(): SeatedRequest | null {
    let found: SeatedRequest | null = null
    for (const { waiting } of this.#queues) {
      const [first] = waiting
      if (first === undefined || !this.#mayStart(first)) continue
      if (found === null || this.#precedes(first, found)) found = first
    }
    return found
  }

  #precedes(first: SeatedRequest, second: SeatedRequest): boolean {
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
      const late = waiting.filter(
        ({ hasStarted, since }) => !hasStarted && now - since > MAX_WAIT_MS,
      )
      for (const request of late) {
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

function widthOf({ average }: Account<SeatedRequest>, bytes: number): number {
  const byCost = average === null ? UNKNOWN_SEATS : Math.ceil(average / MS_PER_SEAT)
  return Math.min(Math.max(byCost, Math.ceil(bytes / BYTES_PER_SEAT), 1), CALLER_SEATS)
}

/** Whether a class with these seats in use can take more. A request that is too wide needs all of them. */
function hasSpace(inUse: number, width: number, max: number): boolean {
  return max > 0 && inUse + Math.min(width, max) <= max
}

function usageOf({ seats, limits }: SeatedClass): number {
  return seats / Math.max(limits.seats, 1)
}

function rejectedByClass(): NoSeat {
  return new NoSeat('Too many requests of this class are in flight', 1)
}

function waitsTooLong(account: Account<SeatedRequest>): NoSeat {
  return new NoSeat('Too many requests wait in this queue', retrySecondsOf(account))
}

/** The time until the requests that wait have been served. */
function retrySecondsOf({ waiting, average }: Account<SeatedRequest>): number {
  const seconds = Math.ceil((waiting.length * (average ?? 0)) / 1000)
  return Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS)
}
