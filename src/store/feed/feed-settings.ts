import type { ValuesOf } from '../../lib/settings/read-settings.ts'
import { duration, readInteger, retired, type Setting } from '../../lib/settings/setting.ts'

/** Settings of the logs of changes. */
export const FEED_SETTINGS = {
  feedRetention: duration({
    env: 'FEED_RETENTION',
    shared: true,
    default: '1h',
    doc: 'Retention of the logs of changes, also of those of planes. A watch that broke off can resume within this time. A log keeps at most a million changes per hour of it, and that of a plane a tenth.',
  }),
  feedRetentionChanges: retired({
    env: 'FEED_RETENTION_CHANGES',
    shared: true,
    doc: 'the log keeps a million changes per hour of FEED_RETENTION',
    read: (value) => readInteger(value, { min: 1000 }),
  }),
} as const satisfies Record<string, Setting<unknown>>

const CHANGES_PER_HOUR = 1_000_000

/** Maximum number of changes in the log of resources, regardless of their age. */
export function retainedChanges(values: ValuesOf<typeof FEED_SETTINGS>): number {
  const hours = Math.max(1, values.feedRetention / 3600)
  return values.feedRetentionChanges ?? Math.floor(hours * CHANGES_PER_HOUR)
}
