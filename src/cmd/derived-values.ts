import type { SettingValues } from './settings.ts'

/** Values that follow from settings, or are the same on every server. */
export interface DerivedValues {
  /** Memory of the cache of resources. */
  readonly readCacheBytes: number
  /** Memory of the cache of snapshots. */
  readonly snapshotCacheBytes: number
  /** Memory for the configuration of planes. */
  readonly planeCacheBytes: number
  /** Time that a statement waits for a connection before the request fails with 503. */
  readonly databaseConnectTimeoutMs: number
  /** A replica that is further behind the primary is not used. In seconds. */
  readonly replicaMaxLag: number
  /** Time that a server of another shard may take to respond. */
  readonly shardResponseTimeoutMs: number
  /** Maximum number of concurrent searches. */
  readonly searchSlots: number
  /** Time that a search waits for others to finish before it fails with 429. */
  readonly searchWaitMs: number
  /** Retention of the changes of planes, in seconds. */
  readonly planeFeedRetention: number
  /** Maximum number of changes that stay available for each plane. */
  readonly planeFeedRetentionChanges: number
  /** Watches of planes end at a random time between this and twice this, in seconds. */
  readonly planeWatchMinTimeout: number
  /** Maximum number of bytes that wait for the client of a watch. */
  readonly watchBufferBytes: number
  /** Maximum number of bytes that wait for the clients of all watches together. */
  readonly watchTotalBufferBytes: number
  readonly bulkBodyLimitBytes: number
  /** Maximum number of events that wait to be written to the audit log. */
  readonly auditQueueEvents: number
  /** Maximum time of a request to the collector of traces. */
  readonly otlpTimeoutMs: number
  /** Maximum number of events that one server sends to one webhook at the same time. */
  readonly outgoingWebhookConcurrency: number
  /** Maximum number of webhooks of a tenant, or of the installation without tenancy. */
  readonly outgoingWebhookLimit: number
  /** Number of pending events beyond which a webhook collects no more. */
  readonly outgoingWebhookPendingLimit: number
  /** Time for which delivered events are listed, in seconds. */
  readonly outgoingWebhookHistory: number
  /** Time for which dead letters can be sent again, in seconds. */
  readonly outgoingWebhookDeadLetterRetention: number
}

const MIB = 1_048_576
const HOUR = 3600
const DAY = 86_400

const WEBHOOKS = {
  outgoingWebhookConcurrency: 8,
  outgoingWebhookLimit: 100,
  outgoingWebhookPendingLimit: 100_000,
  outgoingWebhookHistory: HOUR,
  outgoingWebhookDeadLetterRetention: 30 * DAY,
}

const LIMITS = {
  replicaMaxLag: 10,
  watchBufferBytes: MIB,
  watchTotalBufferBytes: 256 * MIB,
  auditQueueEvents: 10_000,
  otlpTimeoutMs: 10_000,
}

/** The values of a server with these settings. */
export function derivedValues(values: SettingValues): DerivedValues {
  const { cacheBytes, statementTimeoutMs, databasePoolSize, feedRetention } = values
  return {
    ...WEBHOOKS,
    ...LIMITS,
    readCacheBytes: Math.floor(cacheBytes / 4),
    planeCacheBytes: Math.floor(cacheBytes / 4),
    snapshotCacheBytes: Math.floor(cacheBytes / 2),
    databaseConnectTimeoutMs: Math.max(100, Math.floor(statementTimeoutMs / 2)),
    searchWaitMs: Math.floor(statementTimeoutMs / 2),
    shardResponseTimeoutMs: statementTimeoutMs * 2,
    // Searches leave connections to reads and writes.
    searchSlots: Math.max(1, Math.floor((databasePoolSize * 2) / 5)),
    planeFeedRetention: feedRetention,
    planeFeedRetentionChanges: Math.max(1000, Math.floor(values.feedRetentionChanges / 10)),
    planeWatchMinTimeout: Math.max(1, Math.floor(values.watchMaxAge / 2)),
    bulkBodyLimitBytes: Math.max(16 * MIB, values.bodyLimitBytes),
  }
}
