/** The places of loops' variables in a frame, innermost last. */
export class Slots {
  readonly #names: string[] = []
  #size = 0

  /** The most variables at one time. */
  get size(): number {
    return this.#size
  }

  /** Makes variables visible inside; returns what `plan` returns. */
  inside<Result>(names: readonly string[], plan: (slots: readonly number[]) => Result): Result {
    const start = this.#names.length
    this.#names.push(...names)
    this.#size = Math.max(this.#size, this.#names.length)
    const result = plan(names.map((_name, index) => start + index))
    this.#names.length = start
    return result
  }

  find(name: string): number | undefined {
    const index = this.#names.lastIndexOf(name)
    return index < 0 ? undefined : index
  }
}
