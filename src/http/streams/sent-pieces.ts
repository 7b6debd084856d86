import type { Response } from 'express'
import type { WatchBudget } from './watch-budget.ts'

/** What was written to a response, counted in the budget until the kernel has taken it. */
export class SentPieces {
  readonly #response: Response
  readonly #budget: WatchBudget
  /** In the order in which the response takes them. */
  readonly #pieces: Buffer[] = []

  constructor(response: Response, budget: WatchBudget) {
    this.#response = response
    this.#budget = budget
    response.once('close', () => this.#releaseAll())
  }

  send(pieces: readonly Buffer[]): void {
    for (const bytes of pieces) {
      this.#budget.reserve(bytes, bytes.length)
      // Making room can have closed this very stream.
      if (this.#response.destroyed) return
      this.#budget.hold(bytes, bytes.length)
      this.#pieces.push(bytes)
      this.#response.write(bytes, this.#onTaken)
    }
  }

  readonly #onTaken = (): void => {
    const bytes = this.#pieces.shift()
    if (bytes) this.#budget.release(bytes)
  }

  #releaseAll(): void {
    for (const bytes of this.#pieces) this.#budget.release(bytes)
    this.#pieces.length = 0
  }
}
