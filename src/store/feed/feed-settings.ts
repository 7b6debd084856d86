import { duration, integer, type Setting } from '../../lib/settings/setting.ts'

/** Settings of the logs of changes. */
export const FEED_SETTINGS = {
  feedRetention: duration({
    env: 'FEED_RETENTION',
    shared: true,
    default: '1h',
    doc: 'Retention of the logs of changes, also of those of planes. A watch that broke off can resume within this time.',
  }),
  feedRetentionChanges: integer({
    env: 'FEED_RETENTION_CHANGES',
    shared: true,
    min: 1000,
    default: 1_000_000,
    doc: 'Maximum number of changes in the log, regardless of their age. The log of a plane may have a tenth of them.',
  }),
} as const satisfies Record<string, Setting<unknown>>
