/** Whatever the main thread works for, such as the response to a request. */
export type Work = object

/** Receives the work of the main thread. Callbacks must not throw. */
interface Observer {
  /** The thread starts to work for this; null for unknown work. */
  readonly onStart?: (work: Work | null) => void
  /** The thread was busy for this many milliseconds. */
  readonly onSlice?: (milliseconds: number, work: Work | null) => void
  /** The thread is about to handle other events. */
  readonly onEnd?: () => void
}

const observers = new Set<Observer>()
let current: Work | null = null
let start = 0
let isOpen = false

/** Observes the main thread of this process. */
export function observeMainThread(observer: Observer): void {
  observers.add(observer)
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
  else {
    isOpen = true
    setImmediate(endSlice)
  }
  current = work
  start = now
  for (const { onStart } of observers) onStart?.(work)
}

function endSlice(): void {
  report(performance.now() - start)
  isOpen = false
  current = null
  for (const { onEnd } of observers) onEnd?.()
}

function report(milliseconds: number): void {
  for (const { onSlice } of observers) onSlice?.(milliseconds, current)
}

/** Lets the event loop handle other events before the current work continues. */
export async function yieldMainThread(): Promise<void> {
  const work = current
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  workFor(work)
}
