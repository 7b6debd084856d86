/** A map that forgets the oldest entries beyond its size. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxSize) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** From the oldest to the newest. */
  values(): IterableIterator<Value> {
    return this.#entries.values()
  }
}
