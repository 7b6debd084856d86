/** A queue of values in the order of their arrival. */
export class ReadyList<Value> {
  #values: (Value | undefined)[] = []
  #start = 0

  get length(): number {
    return this.#values.length - this.#start
  }

  push(value: Value): void {
    this.#values.push(value)
  }

  /** The oldest value; undefined if the list is empty. */
  shift(): Value | undefined {
    if (this.length === 0) return undefined
    const value = this.#values[this.#start]
    this.#values[this.#start] = undefined
    this.#start += 1
    // Moving the rest for each value would make long lists quadratic.
    if (this.#start > 1024 && this.#start * 2 > this.#values.length) {
      this.#values = this.#values.slice(this.#start)
      this.#start = 0
    }
    return value
  }
}
