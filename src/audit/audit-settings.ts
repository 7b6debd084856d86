import { DEFAULT_AUDIT_POLICY, readAuditPolicy } from './audit-policy.ts'
import { choice, duration, type Setting, readInteger, retired } from '../lib/settings/setting.ts'

/** The settings of the audit log. */
export const AUDIT_SETTINGS = {
  auditPolicy: {
    env: 'AUDIT',
    member: 'policy',
    former: 'AUDIT_POLICY',
    reloadable: true,
    type: 'JSON array of rules',
    default: DEFAULT_AUDIT_POLICY,
    shown: 'Metadata for writes except reports',
    doc: 'Which requests the audit log records, and how much of them: `[{"level":"Metadata","verbs":["delete"]}]`. The first matching rule decides. `[]` turns the log off. See docs/audit.md.',
    read: readAuditPolicy,
  },
  auditRetention: duration({
    env: 'AUDIT',
    member: 'retention',
    former: 'AUDIT_RETENTION',
    shared: true,
    default: '90d',
    doc: 'Retention of the audit log. It is deleted by whole days.',
  }),
  auditWhenFull: choice({
    env: 'AUDIT',
    member: 'when-full',
    former: 'AUDIT_WHEN_FULL',
    of: ['drop', 'block'],
    default: 'drop',
    doc: 'The effect of a full queue of the audit log: events are dropped, counted, and recorded as a gap (drop), or writes wait and fail with 503 after 10 s (block).',
  }),
  auditQueueEvents: retired({
    env: 'AUDIT_QUEUE_EVENTS',
    doc: '10000 events may wait',
    read: (value) => readInteger(value, { min: 100 }),
  }),
} as const satisfies Record<string, Setting<unknown>>
