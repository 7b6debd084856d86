import type { ServerResponse } from 'node:http'
import { Gauge, type Registry } from 'prom-client'
import { observeMainThread, type Work } from '../../lib/tracing/main-thread.ts'

/** Twice the usual interval of scrapes. */
const INTERVAL_MS = 60_000
const OTHER = 'other'

interface Slice {
  readonly milliseconds: number
  readonly route: string
}

const NONE: Slice = { milliseconds: 0, route: OTHER }

/** The longest slice of this interval and the previous one, however often it is read. */
export class LongestSlice {
  #previous = NONE
  #current = NONE

  readonly add = (milliseconds: number, work: Work | null): void => {
    if (milliseconds <= this.#current.milliseconds) return
    this.#current = { milliseconds, route: routeOfWork(work) }
  }

  /** Starts another interval. */
  readonly advance = (): void => {
    this.#previous = this.#current
    this.#current = NONE
  }

  read(): Slice {
    return this.#previous.milliseconds > this.#current.milliseconds ? this.#previous : this.#current
  }
}

/** Exposes the longest slice of the main thread with the route that it worked for. */
export function exposeLongestSlice(registry: Registry): void {
  const longest = new LongestSlice()
  observeMainThread({ onSlice: longest.add })
  setInterval(longest.advance, INTERVAL_MS).unref()
  const gauge: Gauge = new Gauge({
    name: 'flotilla_event_loop_longest_slice_seconds',
    help: 'Longest time in which the server worked for one request only, in the last minute or two.',
    labelNames: ['route'],
    aggregator: 'max',
    registers: [registry],
    collect: () => {
      const { milliseconds, route } = longest.read()
      gauge.reset()
      gauge.set({ route }, milliseconds / 1000)
    },
  })
}

/** The template of the route of a response of Express. */
function routeOfWork(work: Work | null): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each property is checked
  const { locals } = (work ?? {}) as Partial<ServerResponse & { locals: Record<string, unknown> }>
  const route = locals?.['route']
  return typeof route === 'string' ? route : OTHER
}
