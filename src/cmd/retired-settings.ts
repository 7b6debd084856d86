import { errorMessage } from '../lib/error-message.ts'
import type { DerivedValues } from './config.ts'
import { MAX_TIMER_MS, readDuration, readInteger } from '../lib/settings/setting.ts'

/** A setting of the last version. This version still applies it; the next one ignores it. */
interface RetiredSetting {
  readonly env: string
  /** The value without it, and the setting that replaces it, if any. */
  readonly remedy: string
  /** The value that all servers of a database must share. */
  readonly shared?: keyof DerivedValues
  /** Parses the variable; null if it already has no effect. */
  readonly read: ((text: string) => Partial<DerivedValues>) | null
}

export const RETIRED_SETTINGS: readonly RetiredSetting[] = [
  {
    env: 'READ_CACHE_BYTES',
    remedy: 'resources have a quarter of CACHE_BYTES',
    read: (text) => ({ readCacheBytes: readInteger(text, { min: 0 }) }),
  },
  {
    env: 'PLANE_CACHE_BYTES',
    remedy: 'the configuration of planes has a quarter of CACHE_BYTES',
    read: (text) => ({ planeCacheBytes: readInteger(text, { min: 0 }) }),
  },
  {
    env: 'VIEW_MAX_BYTES',
    remedy: 'snapshots have half of CACHE_BYTES',
    read: (text) => ({ snapshotCacheBytes: readInteger(text, { min: 0 }) }),
  },
  {
    env: 'REPORT_CACHE_BYTES',
    remedy: 'the server does not cache reports',
    read: null,
  },
  {
    env: 'DATABASE_CONNECT_TIMEOUT_MS',
    remedy: 'it is half of STATEMENT_TIMEOUT_MS',
    read: (text) => ({
      databaseConnectTimeoutMs: readInteger(text, { min: 100, max: MAX_TIMER_MS }),
    }),
  },
  {
    env: 'REPLICA_MAX_LAG',
    remedy: 'a replica may be 10 s behind',
    read: (text) => ({ replicaMaxLag: readDuration(text) }),
  },
  {
    env: 'SHARD_RESPONSE_TIMEOUT_MS',
    remedy: 'it is twice STATEMENT_TIMEOUT_MS',
    read: (text) => ({
      shardResponseTimeoutMs: readInteger(text, { min: 100, max: MAX_TIMER_MS }),
    }),
  },
  {
    env: 'SEARCH_SLOTS',
    remedy: 'searches use two in five of DATABASE_POOL_SIZE',
    read: (text) => ({ searchSlots: readInteger(text, { min: 1 }) }),
  },
  {
    env: 'SEARCH_WAIT_MS',
    remedy: 'it is half of STATEMENT_TIMEOUT_MS',
    read: (text) => ({ searchWaitMs: readInteger(text, { min: 0, max: MAX_TIMER_MS }) }),
  },
  {
    env: 'PLANE_FEED_RETENTION',
    remedy: 'FEED_RETENTION applies to planes',
    read: (text) => ({ planeFeedRetention: readDuration(text) }),
  },
  {
    env: 'PLANE_FEED_RETENTION_CHANGES',
    remedy: 'it is a tenth of FEED_RETENTION_CHANGES',
    read: (text) => ({ planeFeedRetentionChanges: readInteger(text, { min: 1000 }) }),
  },
  {
    env: 'PLANE_WATCH_MIN_TIMEOUT',
    remedy: 'it is half of WATCH_MAX_AGE',
    read: (text) => ({ planeWatchMinTimeout: readDuration(text) }),
  },
  {
    env: 'WATCH_BUFFER_BYTES',
    remedy: '1 MiB may wait for a client',
    read: (text) => ({ watchBufferBytes: readInteger(text, { min: 1024 }) }),
  },
  {
    env: 'WATCH_TOTAL_BUFFER_BYTES',
    remedy: '256 MiB may wait for all clients',
    read: (text) => ({ watchTotalBufferBytes: readInteger(text, { min: 16_777_216 }) }),
  },
  {
    env: 'BULK_BODY_LIMIT_BYTES',
    remedy: 'it is 16 MiB, or BODY_LIMIT_BYTES if that is more',
    shared: 'bulkBodyLimitBytes',
    read: (text) => ({ bulkBodyLimitBytes: readInteger(text, { min: 1024 }) }),
  },
  {
    env: 'AUDIT_QUEUE_EVENTS',
    remedy: '10000 events may wait',
    read: (text) => ({ auditQueueEvents: readInteger(text, { min: 100 }) }),
  },
  {
    env: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    remedy: 'the collector has 10 s',
    read: (text) => ({ otlpTimeoutMs: readInteger(text, { min: 100, max: MAX_TIMER_MS }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_CONCURRENCY',
    remedy: 'a server sends 8 events to a webhook at the same time',
    read: (text) => ({ outgoingWebhookConcurrency: readInteger(text, { min: 1, max: 256 }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_LIMIT',
    shared: 'outgoingWebhookLimit',
    remedy: 'a tenant may have 100 webhooks',
    read: (text) => ({ outgoingWebhookLimit: readInteger(text, { min: 1, max: 10_000 }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_PENDING_LIMIT',
    shared: 'outgoingWebhookPendingLimit',
    remedy: 'a webhook collects 100000 events',
    read: (text) => ({ outgoingWebhookPendingLimit: readInteger(text, { min: 1 }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_HISTORY',
    remedy: 'delivered events are listed for an hour',
    read: (text) => ({ outgoingWebhookHistory: readDuration(text) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_DEAD_LETTER_RETENTION',
    remedy: 'dead letters are kept for 30 days',
    read: (text) => ({ outgoingWebhookDeadLetterRetention: readDuration(text) }),
  },
]

interface RetiredValues {
  readonly values: Partial<DerivedValues>
  /** One line per invalid variable. */
  readonly problems: readonly string[]
}

/** Reads the retired settings that the environment contains. */
export function readRetiredSettings(env: NodeJS.ProcessEnv): RetiredValues {
  const problems: string[] = []
  const values = presentIn(env).map(({ env: name, read }): Partial<DerivedValues> => {
    try {
      return read?.(env[name] ?? '') ?? {}
    } catch (error) {
      problems.push(`${name}: ${errorMessage(error)}`)
      return {}
    }
  })
  return { values: Object.assign({}, ...values), problems }
}

/** A line for each retired setting that the environment contains. */
export function retirements(env: NodeJS.ProcessEnv): readonly string[] {
  return presentIn(env).map(({ env: name, remedy, read }) =>
    read === null
      ? `${name} is retired and has no effect: ${remedy}`
      : `${name} is retired, and the next version ignores it: without it, ${remedy}`,
  )
}

function presentIn(env: NodeJS.ProcessEnv): readonly RetiredSetting[] {
  return RETIRED_SETTINGS.filter(({ env: name }) => (env[name] ?? '') !== '')
}
