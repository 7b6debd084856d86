import os from 'node:os'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** npm forwards a signal that the terminal has also sent to this process. Users are slower. */
const REPEATED_MS = 1000

interface StopSignals {
  /** Aborted by the first signal, or by `stop`. */
  readonly signal: AbortSignal
  /** Resolves with the name of the signal, or the reason given to `stop`. */
  readonly received: Promise<string>
  readonly stop: (reason: string) => void
}

interface Options {
  /** Called on SIGHUP, which otherwise stops the process. */
  readonly onHangup?: (() => void) | undefined
}

/**
 * Handles the signals that stop this process. The first one starts an orderly shutdown. Another one
 * more than a second later ends the process immediately, after its `exit` listeners.
 */
export function stopSignals({ onHangup }: Options = {}): StopSignals {
  const controller = new AbortController()
  const { signal } = controller
  let stoppedAt = 0
  const stop = (reason: string): void => {
    if (signal.aborted) return
    stoppedAt = performance.now()
    controller.abort(reason)
  }
  const received = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(String(signal.reason)))
  })
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (name === 'SIGHUP' && onHangup) {
        if (!signal.aborted) onHangup()
      } else if (!signal.aborted) stop(name)
      else if (performance.now() - stoppedAt > REPEATED_MS) die(name)
    })
  }
  return { signal, received, stop }
}

/**
 * Ends the process with the signal, so that shells and supervisors see it. `process.exit` alone
 * would wait for threads that look up a host name or wait for a disk. It is the fallback for the
 * first process of a container, which the kernel does not let send such signals to itself.
 */
function die(name: (typeof SIGNALS)[number]): void {
  process.once('exit', () => {
    process.removeAllListeners(name)
    process.kill(process.pid, name)
  })
  process.exit(128 + os.constants.signals[name])
}
