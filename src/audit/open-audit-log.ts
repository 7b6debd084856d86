import type { Parts } from '../capability/capability.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import { codesOf } from '../store/database/translate-database-error.ts'
import { AuditLog } from './audit-log.ts'
import { exposeAuditLog } from './audit-metrics.ts'
import type { AUDIT_SETTINGS } from './audit-settings.ts'
import { insertAuditEvents } from './storage/insert-audit-events.ts'

/** Classes of SQLSTATEs for values that PostgreSQL rejects, or cannot process. */
const DATA_ERROR = /^(22|23|54)/

type Values = ValuesOf<typeof AUDIT_SETTINGS> & { readonly auditQueueEvents: number }

/** Opens the queue that writes the audit log. */
export function openAuditLog(
  parts: Pick<Parts<Values>, 'config' | 'database' | 'lifecycle' | 'log' | 'metrics'>,
): AuditLog {
  const { config, database, lifecycle, metrics } = parts
  const log = new AuditLog({
    write: (events) => insertAuditEvents(database, events),
    isPermanent,
    capacity: config.auditQueueEvents,
    whenFull: config.auditWhenFull,
    onError: (err) => parts.log.warn({ err }, 'the audit log waits'),
    onLost: (events, since) => {
      parts.log.error(
        { events, since },
        'the server stopped before it could write events of the audit log: the database did not answer',
      )
    },
  })
  lifecycle.onClose('audit log', () => log[Symbol.asyncDispose]())
  exposeAuditLog(metrics.registry, log)
  return log
}

/** Whether an event, not the database, is the reason why a batch could not be written. */
function isPermanent(error: unknown): boolean {
  // A value that JSON or this program cannot process never reached the database.
  if (error instanceof RangeError || error instanceof TypeError) return true
  return codesOf(error).some((code) => DATA_ERROR.test(code))
}
