import { Counter, Gauge, type Registry } from 'prom-client'
import type { AuditLog } from './audit-log.ts'

/** Exposes the queue of the audit log. */
export function exposeAuditLog(
  registry: Registry,
  log: Pick<AuditLog, 'queued' | 'written' | 'dropped'>,
): void {
  const queued: Gauge = new Gauge({
    name: 'flotilla_audit_queued_events',
    help: 'Events that wait to be written to the audit log.',
    registers: [registry],
    collect: () => queued.set(log.queued),
  })
  const events: Counter<'result'> = new Counter({
    name: 'flotilla_audit_events_total',
    help: 'Events of the audit log by result.',
    labelNames: ['result'],
    registers: [registry],
    collect: () => {
      events.reset()
      events.inc({ result: 'written' }, log.written)
      events.inc({ result: 'dropped' }, log.dropped)
    },
  })
}
