import { ReadyList } from 'flotilla/controllers'

interface Limits {
  readonly total: number
  /** Of the tasks with one key, such as a runtime. */
  readonly perKey: number
}

/** Runs tasks with a limit in total and for each key. A busy key never delays the others. */
export class OperationPool {
  readonly #limits: Limits
  readonly #queues = new Map<string, ReadyList<() => void>>()
  readonly #running = new Map<string, number>()
  #total = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#total
  }

  /** Starts the task when a place is free. The task must not reject. */
  run(key: string, task: () => Promise<void>): void {
    const queue = this.#queues.get(key) ?? new ReadyList<() => void>()
    this.#queues.set(key, queue)
    queue.push(() => {
      this.#count(key, 1)
      void task().finally(() => {
        this.#count(key, -1)
        this.#startNext()
      })
    })
    this.#startNext()
  }

  /** Keys take turns: the one that started longest ago comes first. */
  #startNext(): void {
    const waiting = Array.from(this.#queues)
    for (const [key, queue] of waiting) {
      while (this.#hasPlace(key)) {
        const start = queue.shift()
        if (start === undefined) break
        start()
      }
      this.#queues.delete(key)
      if (queue.length > 0) this.#queues.set(key, queue)
      if (this.#total >= this.#limits.total) return
    }
  }

  #hasPlace(key: string): boolean {
    return this.#total < this.#limits.total && (this.#running.get(key) ?? 0) < this.#limits.perKey
  }

  #count(key: string, change: number): void {
    this.#total += change
    const running = (this.#running.get(key) ?? 0) + change
    if (running === 0) this.#running.delete(key)
    else this.#running.set(key, running)
  }
}
