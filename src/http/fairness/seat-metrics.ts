import { Counter, Gauge, type Registry } from 'prom-client'
import { REQUEST_CLASSES } from './request-class.ts'
import type { Seats } from './seats.ts'

const LABELS = { labelNames: ['class'] } as const

/** Exposes the seats of the classes of requests. */
export function exposeSeats(registry: Registry, { counts }: Pick<Seats, 'counts'>): void {
  const seats: Gauge = new Gauge({
    name: 'flotilla_request_seats',
    help: 'Seats of the requests in flight by the class of their callers.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      for (const name of REQUEST_CLASSES) seats.set({ class: name }, counts[name].seats)
    },
  })
  const waiting: Gauge = new Gauge({
    name: 'flotilla_requests_waiting',
    help: 'Requests that wait for seats by the class of their callers.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      for (const name of REQUEST_CLASSES) waiting.set({ class: name }, counts[name].waiting)
    },
  })
  const rejected: Counter = new Counter({
    name: 'flotilla_requests_rejected_total',
    help: 'Requests that found no seat by the class of their callers.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      rejected.reset()
      for (const name of REQUEST_CLASSES) rejected.inc({ class: name }, counts[name].rejected)
    },
  })
  const waited: Counter = new Counter({
    name: 'flotilla_request_wait_seconds_total',
    help: 'Time that requests waited for seats by the class of their callers.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      waited.reset()
      for (const name of REQUEST_CLASSES) waited.inc({ class: name }, counts[name].waitedMs / 1000)
    },
  })
}
