/** Whatever the main thread works for, such as the response to a request. */
export type Work = object

/** Pays for the slices of a request. */
export interface Payer {
  /** Its recent costs. Work of payers with lower ones goes first. */
  readonly debt: number
  /** Whether the work of others, which waits for a statement or a body, should continue first. */
  readonly givesWay: boolean
  pay(milliseconds: number): void
}

/** Receives the work of the main thread. Callbacks must not throw. */
interface Observer {
  /** The thread starts to work for this; null for unknown work. */
  readonly onStart?: (work: Work | null) => void
  /** The thread was busy for this many milliseconds. */
  readonly onSlice?: (milliseconds: number, work: Work | null) => void
  /** The thread is about to handle other events. */
  readonly onEnd?: () => void
}

/** Work waits for the next turn of the event loop if this one has taken longer. */
const TURN_MS = 10
/** Work in the background waits for the next turn earlier. */
const BACKGROUND_TURN_MS = 2
/** Work that has waited for longer goes first. */
const MAX_WAIT_MS = 250
/** Work that gives way waits at most this time before each slice. */
const GIVE_WAY_MS = 50
const RETRY_MS = 2
/** Shorter slices are not paid for. */
const FREE_MS = 0.2

interface Waiting {
  readonly payer: Payer
  readonly since: number
  readonly resume: () => void
}

/** The payer of the server's own work. */
const NOBODY: Payer = { debt: 0, givesWay: false, pay: () => undefined }

/** The payer of work for which no request waits with its seats, such as that of controllers. */
const LAST: Payer = { debt: Infinity, givesWay: false, pay: () => undefined }

const observers = new Set<Observer>()
/** The payer is a property, because entries of a `WeakMap` cost the garbage collector more. */
const PAYER = Symbol('payer')

interface Charged {
  [PAYER]?: Payer
}

const BACKGROUND: Work & Charged = { [PAYER]: LAST }

const waiting: Waiting[] = []
let current: Work | null = null
let start = 0
let turnStart = 0
let isOpen = false

/** Observes the main thread of this process. */
export function observeMainThread(observer: Observer): void {
  observers.add(observer)
}

/** Sets who pays for work from now on. */
export function chargeWork(work: Work, payer: Payer): void {
  const charged: Charged = work
  charged[PAYER] = payer
}

function payerOf(work: Charged): Payer | undefined {
  return work[PAYER]
}

/** The work of the main thread; null if unknown. */
export function currentWork(): Work | null {
  return current
}

/**
 * States what the main thread works for from now on. Its slice ends at the next call, or when the
 * event loop has handled the events that had arrived together. Asynchronous steps pass the work on
 * by hand, because `AsyncLocalStorage` would cost each request more.
 */
export function workFor(work: Work | null): void {
  const now = performance.now()
  if (isOpen) report(now - start)
  else openTurn(now)
  current = work
  start = now
  for (const { onStart } of observers) onStart?.(work)
}

/**
 * Starts to measure a turn of the event loop before it is known whose work it does: the rows of a
 * statement are parsed before its caller continues.
 */
export function startTurn(): void {
  if (isOpen) return
  start = performance.now()
  openTurn(start)
}

function openTurn(now: number): void {
  isOpen = true
  turnStart = now
  setImmediate(endTurn)
}

/**
 * Null if the work may continue now. Otherwise other events come first, because this turn of the
 * event loop has already taken long, or the work gives way. Of the work that waits, one piece
 * continues per turn.
 */
export function turnOf(work: Work | null): Promise<void> | null {
  const payer = work === null ? undefined : payerOf(work)
  if (payer === undefined) return null
  const isLong = isOpen && performance.now() - turnStart >= TURN_MS
  return isLong || payer.givesWay ? nextTurn(payer) : null
}

/** When this turn of the event loop began to work, in the time of `performance.now()`. */
export function turnStartTime(): number {
  return isOpen ? turnStart : performance.now()
}

/** Lets the event loop handle other events before the current work continues. */
export async function yieldMainThread(): Promise<void> {
  const work = current
  await nextTurn((work && payerOf(work)) ?? NOBODY)
  workFor(work)
}

/**
 * Lets requests continue before work in the background. Call it before each part of such work: if
 * many parts are ready together, one continues per turn of the event loop.
 */
export async function yieldToRequests(): Promise<void> {
  const isShort = !isOpen || performance.now() - turnStart < BACKGROUND_TURN_MS
  if (waiting.length > 0 || !isShort) await nextTurn(LAST)
  workFor(BACKGROUND)
}

function nextTurn(payer: Payer): Promise<void> {
  return new Promise((resume) => {
    waiting.push({ payer, since: performance.now(), resume })
    if (waiting.length === 1) setImmediate(resumeNext)
  })
}

function endTurn(): void {
  report(performance.now() - start)
  isOpen = false
  current = null
  for (const { onEnd } of observers) onEnd?.()
}

function report(milliseconds: number): void {
  if (current !== null && milliseconds > FREE_MS) payerOf(current)?.pay(milliseconds)
  for (const { onSlice } of observers) onSlice?.(milliseconds, current)
}

function resumeNext(): void {
  const index = indexOfNext()
  const next = waiting[index]
  if (next?.payer.givesWay === true && performance.now() - next.since < GIVE_WAY_MS) {
    setTimeout(resumeNext, RETRY_MS)
    return
  }
  waiting.splice(index, 1)
  if (waiting.length > 0) setImmediate(resumeNext)
  next?.resume()
}

function indexOfNext(): number {
  const longAgo = performance.now() - MAX_WAIT_MS
  let found = 0
  let least = Infinity
  for (const [index, { payer, since }] of waiting.entries()) {
    if (since < longAgo) return index
    const { debt } = payer
    if (debt < least) [found, least] = [index, debt]
  }
  return found
}
