interface Entry {
  readonly size: number
  holders: number
}

/** Counts memory that several holders share: each object counts once. */
export class SharedBytes {
  readonly #entries = new Map<object, Entry>()
  #total = 0

  /** The sizes of all held objects. */
  get total(): number {
    return this.#total
  }

  has(object: object): boolean {
    return this.#entries.has(object)
  }

  /** Adds a holder. Only the size that the first holder states counts. */
  hold(object: object, size: number): void {
    const entry = this.#entries.get(object)
    if (entry) {
      entry.holders += 1
      return
    }
    this.#entries.set(object, { size, holders: 1 })
    this.#total += size
  }

  /** Removes a holder. The object stops counting when it has no holder left. */
  release(object: object): void {
    const entry = this.#entries.get(object)
    if (!entry) return
    entry.holders -= 1
    if (entry.holders > 0) return
    this.#entries.delete(object)
    this.#total -= entry.size
  }
}
