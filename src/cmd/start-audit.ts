import { exposeAuditLog } from '../audit/audit-metrics.ts'
import { AuditLog } from '../audit/audit-log.ts'
import { insertAuditEvents } from '../audit/storage/insert-audit-events.ts'
import type { Database } from '../store/database/database.ts'
import { codesOf } from '../store/database/translate-database-error.ts'
import { auditRequests } from '../audit/http/audit-requests.ts'
import { systemClock } from '../lib/clock.ts'
import type { Foundation } from './foundation.ts'
import { startPartitions } from './start-partitions.ts'

/** Classes of SQLSTATEs for values that PostgreSQL rejects, or cannot process. */
const DATA_ERROR = /^(22|23|54)/

/** Starts the audit log and the maintenance of its partitions. Returns the stage that records. */
export function startAudit(
  foundation: Foundation,
  database: Database,
): ReturnType<typeof auditRequests> {
  const { config, overrides, lifecycle, metrics } = foundation
  const onError = (err: unknown): void => overrides.log.warn({ err }, 'the audit log waits')
  startPartitions(foundation, database, {
    table: 'audit_events',
    retentionSeconds: config.auditRetention,
    onError,
  })
  const log = new AuditLog({
    write: (events) => insertAuditEvents(database, events),
    isPermanent,
    capacity: config.auditQueueEvents,
    whenFull: config.auditWhenFull,
    onError,
    onLost: (events, since) => {
      overrides.log.error(
        { events, since },
        'the server stopped before it could write events of the audit log: the database did not answer',
      )
    },
  })
  lifecycle.onClose('audit log', () => log[Symbol.asyncDispose]())
  exposeAuditLog(metrics.registry, log)
  return auditRequests({
    log,
    policy: () => foundation.settings.current.auditPolicy,
    clientAddress: foundation.clientAddress,
    clock: overrides.clock ?? systemClock,
  })
}

/** Whether an event, not the database, is the reason why a batch could not be written. */
function isPermanent(error: unknown): boolean {
  // A value that JSON or this program cannot process never reached the database.
  if (error instanceof RangeError || error instanceof TypeError) return true
  return codesOf(error).some((code) => DATA_ERROR.test(code))
}
