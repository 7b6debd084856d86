import { pause } from './pause.ts'

interface Repetition {
  readonly pauseMs: number
  readonly delayMs?: number
  readonly onError: (error: unknown) => void
}

/**
 * Runs work after `delayMs`, and again `pauseMs` after each run ends, until it is disposed. Disposal
 * aborts the signal and waits for the current run.
 */
export function repeat(
  { pauseMs, delayMs = 0, onError }: Repetition,
  work: (signal: AbortSignal) => Promise<void>,
): AsyncDisposable {
  const stopped = new AbortController()
  const { signal } = stopped

  async function run(): Promise<void> {
    if (delayMs > 0) await pause(delayMs, signal)
    while (!signal.aborted) {
      try {
        await work(signal)
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
      await pause(pauseMs, signal)
    }
  }

  const ended = run()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}
