/** Keeps the values that were used last, up to a number of bytes. */
export class RecentlyUsed<Value> {
  readonly #maxBytes: number
  readonly #sizeOf: (value: Value) => number
  readonly #values = new Map<string, Value>()
  #bytes = 0

  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = maxBytes
    this.#sizeOf = sizeOf
  }

  /** Returns null if the value is not kept. */
  get(key: string): Value | null {
    const value = this.#values.get(key)
    if (value === undefined) return null
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** Keeps a value. Equal keys must have equal values. */
  add(key: string, value: Value): Value {
    if (this.#values.has(key)) return value
    this.#values.set(key, value)
    this.#bytes += this.#sizeOf(value)
    for (const [oldest, old] of this.#values) {
      if (this.#bytes <= this.#maxBytes) break
      this.#values.delete(oldest)
      this.#bytes -= this.#sizeOf(old)
    }
    return value
  }
}
