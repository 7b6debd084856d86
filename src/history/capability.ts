import { defineCapability } from '../capability/capability.ts'
import { startPartitions } from '../capability/partitions.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { repeat } from '../lib/async/repeat.ts'
import { durationOrOff } from '../lib/settings/setting.ts'
import { startHistoryCollector } from './history-collector.ts'
import { exposeHistory } from './history-metrics.ts'
import { listChanges } from './http/list-changes.ts'
import { listHistory } from './http/list-history.ts'
import { pauseHistory } from './storage/pause-history.ts'

/** A server with another setting may have collected since. */
const PAUSE_INTERVAL_MS = 600_000

const OPENAPI = new URL('../../openapi/history.yaml', import.meta.url)

/** Keeps the changes of resources for longer than the feed does. */
export const history = defineCapability({
  name: 'history',
  needs: { hyperfleet },
  settings: {
    historyRetention: durationOrOff({
      env: 'HISTORY_RETENTION',
      shared: true,
      default: '90d',
      doc: 'Retention of the history of resources. It is deleted by whole days. `off` or 0 keeps no history. See docs/history.md.',
    }),
  },
  openapi: { file: OPENAPI },
  tables: [
    { name: 'resource_history', backup: 'saved', isUserData: true, move: 'copied later' },
    {
      name: 'history_cursor',
      backup: 'saved',
      move: { stays: 'a position in the log of the shard' },
    },
  ],
  verbs: ['list-changes', 'list-history'],
  open({ needs }) {
    const verbs = { 'list-changes': listChanges, 'list-history': listHistory }
    needs.hyperfleet.addPart(() => ({ verbs }))
  },
  run(parts) {
    const { config, database, feed, lifecycle, log, metrics } = parts
    const onError = (err: unknown): void => log.warn({ err }, 'the history waits')
    const retentionSeconds = config.historyRetention
    startPartitions(parts, { table: 'resource_history', retentionSeconds, onError })
    if (retentionSeconds === 0) {
      const pauses = repeat({ pauseMs: PAUSE_INTERVAL_MS, onError }, () => pauseHistory(database))
      lifecycle.onClose('history', () => pauses[Symbol.asyncDispose]())
      return
    }
    const collector = startHistoryCollector({ database, feed, onError })
    exposeHistory(metrics.registry, collector)
    lifecycle.onClose('history', () => collector[Symbol.asyncDispose]())
  },
})
