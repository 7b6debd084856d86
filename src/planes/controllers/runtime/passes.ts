import { type Backoff, backoffDelay } from './backoff.ts'
import { type Timers, wait } from './timers.ts'

interface Options {
  readonly timers: Timers
  readonly random: () => number
  /** Pause between passes that nothing requests. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
  /** Begins a pass. The result runs it, and again after a failure to continue it. */
  readonly pass: (signal: AbortSignal) => () => Promise<void>
}

/** Passes over all objects, one at a time. */
export interface PassSchedule extends AsyncDisposable {
  /** Resolves after the first pass, or when the schedule is disposed. */
  readonly passed: Promise<void>
  /** Starts another pass when the current one has ended. */
  request(): void
}

const BACKOFF: Backoff = { baseMs: 500, maxMs: 60_000 }

/** Runs a pass now, then on request and in regular intervals. */
export function startPasses(options: Options): PassSchedule {
  const stopped = new AbortController()
  let isRequested = true
  let wake = new AbortController()
  let markPassed = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    markPassed = resolve
  })

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      isRequested = false
      await runToEnd(options, stopped.signal)
      markPassed()
      wake = new AbortController()
      const ended = AbortSignal.any([wake.signal, stopped.signal])
      if (!isRequested) await wait(options.timers, options.everyMs, ended)
    }
  }

  const ended = run()
  return {
    passed,
    request: () => {
      isRequested = true
      wake.abort()
    },
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}

async function runToEnd(
  { pass, timers, random, onError }: Options,
  signal: AbortSignal,
): Promise<void> {
  const run = pass(signal)
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await run()
    } catch (error) {
      if (signal.aborted) return
      onError(error)
      await wait(timers, backoffDelay(BACKOFF, failures, random), signal)
    }
  }
}
