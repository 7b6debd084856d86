/** An item of the queue. */
interface Entry {
  timer: ReturnType<typeof setTimeout> | undefined
  dueAt: number
  isRunning: boolean
  /** It was forgotten while it runs. It stays until then, so that it never runs twice at a time. */
  isForgotten: boolean
}

/**
 * Runs a function for keys at their due times: never twice at the same time for one key, and for a
 * limited number of keys at the same time.
 */
export class DueQueue {
  readonly #run: (key: string) => Promise<number | null>
  readonly #concurrency: number
  readonly #entries = new Map<string, Entry>()
  readonly #ready = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #isClosed = false

  /** `run` never rejects. It returns the milliseconds until its next run, or null to forget the key. */
  constructor(run: (key: string) => Promise<number | null>, concurrency: number) {
    this.#run = run
    this.#concurrency = concurrency
  }

  has(key: string): boolean {
    return this.#entries.get(key)?.isForgotten === false
  }

  /** Runs a key after some time, or earlier if it is already scheduled. */
  schedule(key: string, delayMs: number): void {
    if (this.#isClosed) return
    const dueAt = Date.now() + delayMs
    const entry = this.#entries.get(key) ?? newEntry()
    this.#entries.set(key, entry)
    entry.isForgotten = false
    if (dueAt >= entry.dueAt) return
    entry.dueAt = dueAt
    // A running key starts again when its run ends.
    if (!entry.isRunning) this.#arm(key, entry)
  }

  forget(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    clearTimeout(entry.timer)
    entry.dueAt = Infinity
    entry.isForgotten = true
    this.#ready.delete(key)
    if (!entry.isRunning) this.#entries.delete(key)
  }

  /** Starts no more runs and waits for the current ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const key of this.#entries.keys()) this.forget(key)
    await Promise.all(this.#running)
  }

  #arm(key: string, entry: Entry): void {
    clearTimeout(entry.timer)
    const enqueue = () => {
      this.#ready.add(key)
      this.#pump()
    }
    entry.timer = setTimeout(enqueue, Math.max(0, entry.dueAt - Date.now()))
  }

  #pump(): void {
    for (const key of this.#ready) {
      if (this.#running.size >= this.#concurrency) return
      this.#ready.delete(key)
      const entry = this.#entries.get(key)
      if (entry === undefined || this.#isClosed) continue
      const run = this.#runOne(key, entry).finally(() => {
        this.#running.delete(run)
        this.#pump()
      })
      this.#running.add(run)
    }
  }

  async #runOne(key: string, entry: Entry): Promise<void> {
    entry.isRunning = true
    entry.dueAt = Infinity
    const next = await this.#run(key)
    entry.isRunning = false
    if (entry.isForgotten) this.#entries.delete(key)
    if (this.#isClosed || entry.isForgotten) return
    if (next !== null) entry.dueAt = Math.min(entry.dueAt, Date.now() + next)
    if (entry.dueAt === Infinity) this.forget(key)
    else this.#arm(key, entry)
  }
}

function newEntry(): Entry {
  return { timer: undefined, dueAt: Infinity, isRunning: false, isForgotten: false }
}
