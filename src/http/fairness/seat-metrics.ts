import { Counter, Gauge, type Registry } from 'prom-client'
import type { Seats } from './seats.ts'

const LABELS = { labelNames: ['class'] } as const

/** Exposes the seats of the classes of requests. */
export function exposeSeats(registry: Registry, source: Pick<Seats, 'counts'>): void {
  const seats: Gauge = new Gauge({
    name: 'flotilla_request_seats',
    help: 'Seats of the requests in flight by their class.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      seats.reset()
      for (const [name, { seats: taken }] of source.counts) seats.set({ class: name }, taken)
    },
  })
  const waiting: Gauge = new Gauge({
    name: 'flotilla_requests_waiting',
    help: 'Requests that wait for seats by their class.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      waiting.reset()
      for (const [name, counts] of source.counts) waiting.set({ class: name }, counts.waiting)
    },
  })
  const resting: Gauge = new Gauge({
    name: 'flotilla_requests_resting',
    help: 'Requests that wait for a state, without seats, by their class.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      resting.reset()
      for (const [name, counts] of source.counts) resting.set({ class: name }, counts.resting)
    },
  })
  const rejected: Counter = new Counter({
    name: 'flotilla_requests_rejected_total',
    help: 'Requests that found no seat by their class.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      rejected.reset()
      for (const [name, counts] of source.counts) rejected.inc({ class: name }, counts.rejected)
    },
  })
  const waited: Counter = new Counter({
    name: 'flotilla_request_wait_seconds_total',
    help: 'Time that requests waited for seats by their class.',
    ...LABELS,
    registers: [registry],
    collect: () => {
      waited.reset()
      for (const [name, { waitedMs }] of source.counts) waited.inc({ class: name }, waitedMs / 1000)
    },
  })
}
