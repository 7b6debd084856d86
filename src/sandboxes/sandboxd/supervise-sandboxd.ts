import { setTimeout as sleep } from 'node:timers/promises'

const INTERVAL_MS = 1000

interface Options {
  readonly isAlive: () => Promise<boolean>
  readonly restart: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Starts sandboxd again after it has ended. Disposal waits for a restart in progress. */
export function superviseSandboxd(options: Options): AsyncDisposable {
  const stop = new AbortController()
  const done = supervise(options, stop.signal)
  return {
    [Symbol.asyncDispose]: () => {
      stop.abort()
      return done
    },
  }
}

async function supervise({ isAlive, restart, onError }: Options, signal: AbortSignal) {
  for (;;) {
    await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    try {
      if (!(await isAlive())) await restart()
    } catch (error) {
      onError(error)
    }
  }
}
