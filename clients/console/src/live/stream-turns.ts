/** The part of the browser's Web Locks that turns need. */
export interface Locks {
  request(
    name: string,
    options: { readonly signal: AbortSignal },
    run: () => Promise<void>,
  ): Promise<void>
  query(): Promise<{ readonly pending?: readonly { readonly name?: string }[] }>
}

/** The shortest time before a stream leaves its connection to another window. */
const TURN_MS = 2000

/**
 * Limits the streams of all windows of a browser. HTTP/1.1 allows six connections to a server, and
 * each stream occupies one. Windows that wait get a turn in the order in which they asked.
 */
export class StreamTurns {
  readonly #locks: Locks | undefined
  readonly #names: readonly string[]

  /** Without locks, as on pages that are not a secure context, every stream gets a turn immediately. */
  constructor(locks: Locks | undefined, names: readonly string[]) {
    this.#locks = locks
    this.#names = names
  }

  /** Waits for a turn, which ends with `run`. Does nothing if the signal aborts first. */
  async take(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
    const locks = this.#locks
    if (locks === undefined) return await run()
    const granted = new AbortController()
    const waiting = AbortSignal.any([signal, granted.signal])
    const runOnce = async (): Promise<void> => {
      if (waiting.aborted) return
      granted.abort()
      await run()
    }
    const requests = this.#names.map((name) => locks.request(name, { signal: waiting }, runOnce))
    for (const result of await Promise.allSettled(requests)) {
      if (result.status === 'rejected' && !isAbort(result.reason)) throw result.reason
    }
  }

  /** Aborts a turn that has started when other windows wait for one. */
  endWhenWanted(turn: AbortController): void {
    const timer = setInterval(() => {
      void this.isWanted().then((isWanted) => isWanted && turn.abort())
    }, TURN_MS)
    turn.signal.addEventListener('abort', () => clearInterval(timer))
  }

  /** Whether other windows wait for a turn. */
  async isWanted(): Promise<boolean> {
    const { pending = [] } = (await this.#locks?.query()) ?? {}
    return pending.some(({ name }) => name !== undefined && this.#names.includes(name))
  }
}

function isAbort(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError'
}
