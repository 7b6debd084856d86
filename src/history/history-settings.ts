import { durationOrOff, type Setting } from '../lib/settings/setting.ts'

/** The settings of the history of resources. */
export const HISTORY_SETTINGS = {
  historyRetention: durationOrOff({
    env: 'HISTORY_RETENTION',
    shared: true,
    default: '90d',
    doc: 'Retention of the history of resources. It is deleted by whole days. `off` or 0 keeps no history. See docs/history.md.',
  }),
} as const satisfies Record<string, Setting<unknown>>
