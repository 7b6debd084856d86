import { defineCapability } from '../capability/capability.ts'
import { startPartitions } from '../capability/partitions.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { AUDIT_SETTINGS } from './audit-settings.ts'
import { auditPart } from './http/audit-part.ts'
import { auditRequests } from './http/audit-requests.ts'
import { openAuditLog } from './open-audit-log.ts'

/** Maximum number of events that wait to be written. */
const QUEUE_EVENTS = 10_000

const OPENAPI = new URL('../../openapi/audit.yaml', import.meta.url)

/** Records who did what, and serves the record. */
export const audit = defineCapability({
  name: 'audit',
  needs: { hyperfleet },
  settings: AUDIT_SETTINGS,
  openapi: { file: OPENAPI },
  tables: [{ name: 'audit_events', backup: 'saved', isUserData: true, move: 'copied later' }],
  derive: ({ auditQueueEvents }) => ({ auditQueueEvents: auditQueueEvents ?? QUEUE_EVENTS }),
  open(parts) {
    const { api, needs, settings, clientAddress, clock } = parts
    const policy = (): typeof settings.current.auditPolicy => settings.current.auditPolicy
    api.audit = auditRequests({ log: openAuditLog(parts), policy, clientAddress, clock })
    needs.hyperfleet.addPart(() => auditPart)
  },
  run(parts) {
    startPartitions(parts, {
      table: 'audit_events',
      retentionSeconds: parts.config.auditRetention,
      onError: (err) => parts.log.warn({ err }, 'the audit log waits'),
    })
  },
})
