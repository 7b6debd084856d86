/** A result may be as old as this, or as 20 times the duration of its computation. */
const MIN_AGE_MS = 2000
const MAX_AGE_MS = 60_000
const AGE_PER_DURATION = 20
const MAX_ENTRIES = 200

interface Entry<Result> {
  readonly result: Promise<Result>
  /** When the result is too old to be used; infinite during the computation. */
  endsAt: number
}

/**
 * Results that callers with the same key share. A computation that takes long is repeated rarely, so
 * one key costs at most about a twentieth of a connection, however many callers ask.
 */
export class SharedResults<Result> {
  readonly #entries = new Map<string, Entry<Result>>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Returns the result of a key; computes it if there is none, or only an old one. */
  get(key: string, compute: () => Promise<Result>): Promise<Result> {
    const known = this.#entries.get(key)
    if (known && known.endsAt > this.#now()) return known.result
    const startedAt = this.#now()
    const entry: Entry<Result> = { result: compute(), endsAt: Infinity }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#dropOldest()
    entry.result.then(
      () => {
        const duration = this.#now() - startedAt
        const age = Math.max(MIN_AGE_MS, duration * AGE_PER_DURATION)
        entry.endsAt = this.#now() + Math.min(MAX_AGE_MS, age)
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    return entry.result
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES) return
      this.#entries.delete(key)
    }
  }
}
