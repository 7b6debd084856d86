import { pause } from '../../lib/async/pause.ts'

/** Runs work immediately and again `pauseMs` after each run ends, until it is disposed. */
export function repeat(
  pauseMs: number,
  onError: (error: unknown) => void,
  work: () => Promise<void>,
): AsyncDisposable {
  const stopped = new AbortController()
  const { signal } = stopped

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await work()
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
