import type { Response } from 'express'
import { hasUsedPermissions } from '../auth/permissions.ts'

/** How many checks run together, so that one that waits for a database does not delay all others. */
const MAX_RUNNING = 8

interface Options {
  /** Receives unexpected errors of checks. Must not throw. */
  readonly onError: (error: unknown) => void
}

/** A stream whose caller needs permissions. */
export interface PermittedStream {
  readonly response: Pick<Response, 'locals'>
  /** Called if the caller has lost a permission. */
  readonly end: () => void
}

/**
 * Checks whether callers of streams still have the permissions that their requests used. Checks of
 * many streams can be due together, and a check can compare all rules of a user or read rows: each
 * turn of the event loop starts one.
 */
export class PermissionChecks {
  readonly #options: Options
  /** In the order of their checks. */
  readonly #waiting = new Set<PermittedStream>()
  readonly #running = new Set<PermittedStream>()
  #isScheduled = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Checks a stream soon, unless a check of it waits or runs. */
  add(stream: PermittedStream): void {
    if (this.#running.has(stream)) return
    this.#waiting.add(stream)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running.size >= MAX_RUNNING) return
    const [next] = this.#waiting
    if (!next) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#waiting.delete(next)
      void this.#run(next)
      this.#schedule()
    })
  }

  /** Never rejects. */
  async #run(stream: PermittedStream): Promise<void> {
    this.#running.add(stream)
    if (!(await this.#isPermitted(stream))) stream.end()
    this.#running.delete(stream)
    this.#schedule()
  }

  async #isPermitted({ response }: PermittedStream): Promise<boolean> {
    try {
      return await hasUsedPermissions(response)
    } catch (error) {
      this.#options.onError(error)
      return true
    }
  }
}
