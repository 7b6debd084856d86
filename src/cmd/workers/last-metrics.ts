import { AggregatorRegistry } from 'prom-client'
import type { ProcessMetrics } from './messages.ts'

interface Answer {
  readonly pid: number
  /** Null if the process did not answer. */
  readonly metrics: ProcessMetrics | null
}

/** Metrics whose values only grow while a process runs. */
const COUNTING: ReadonlySet<string> = new Set(['counter', 'histogram'])

/**
 * The last metrics of each process. Counts stay when a process ends or does not answer: a sum that
 * falls looks like a restart of the server to Prometheus, which then counts all of it again.
 */
export class LastMetrics {
  #running = new Map<number, ProcessMetrics>()
  /** The counts of all processes that have ended. */
  #ended: ProcessMetrics = []

  #updated: Promise<unknown> = Promise.resolve()

  /** Takes the answers of the processes that run; returns everything to add up. Never rejects. */
  update(answers: readonly Answer[]): Promise<readonly ProcessMetrics[]> {
    const update = this.#updated.then(() => this.#take(answers))
    this.#updated = update
    return update
  }

  async #take(answers: readonly Answer[]): Promise<readonly ProcessMetrics[]> {
    const running = new Map<number, ProcessMetrics>()
    for (const { pid, metrics } of answers) {
      const last = metrics ?? this.#running.get(pid)
      if (last !== undefined) running.set(pid, last)
    }
    const ended = [...this.#running].flatMap(([pid, last]) => (running.has(pid) ? [] : [last]))
    this.#running = running
    if (ended.length > 0) {
      const counts = ended.map((last) => last.filter(({ type }) => COUNTING.has(String(type))))
      this.#ended = await AggregatorRegistry.aggregate([this.#ended, ...counts]).getMetricsAsJSON()
    }
    return [this.#ended, ...running.values()]
  }
}
