import type { Response } from 'express'
import type { WatchBudget } from './watch-budget.ts'

/** Buffers written to a response. The budget counts each until the kernel has accepted it. */
export class PendingWrites {
  readonly #response: Response
  readonly #budget: WatchBudget
  /** In the order in which the response writes them. */
  readonly #buffers: Buffer[] = []

  constructor(response: Response, budget: WatchBudget) {
    this.#response = response
    this.#budget = budget
    response.once('close', () => this.release())
  }

  write(buffers: readonly Buffer[]): void {
    for (const buffer of buffers) {
      this.#budget.reserve(buffer, buffer.length)
      // Freeing memory may have closed this stream.
      if (this.#response.destroyed) return
      this.#budget.hold(buffer, buffer.length)
      this.#buffers.push(buffer)
      this.#response.write(buffer, this.#onWritten)
    }
  }

  readonly #onWritten = (): void => {
    const buffer = this.#buffers.shift()
    if (buffer) this.#budget.release(buffer)
  }

  /** Stops counting all buffers: call it when the connection is destroyed, which drops them. */
  release(): void {
    for (const buffer of this.#buffers) this.#budget.release(buffer)
    this.#buffers.length = 0
  }
}
