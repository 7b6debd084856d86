import { ACCESS_SETTINGS } from '../access/access-settings.ts'
import { AUTHENTICATION_SETTINGS } from '../access/authentication-settings.ts'
import { groupsClaimOf } from '../access/issuer-settings.ts'
import { OBSERVABILITY_SETTINGS } from '../http/observability/observability-settings.ts'
import { RATE_LIMIT_SETTINGS } from '../http/requests/rate-limit-settings.ts'
import { SERVER_SETTINGS } from '../http/server/server-settings.ts'
import { SHUTDOWN_SETTINGS } from '../http/server/shutdown-settings.ts'
import { PROCESS_SETTINGS } from '../lib/settings/process-settings.ts'
import { packageRevision } from '../lib/package-version.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import {
  choice,
  flag,
  integer,
  readInteger,
  retired,
  type Setting,
} from '../lib/settings/setting.ts'
import { DATABASE_SETTINGS } from '../store/database/database-settings.ts'
import { FEED_SETTINGS, retainedChanges } from '../store/feed/feed-settings.ts'

const WORKERS: Setting<number | 'auto'> = {
  env: 'WORKERS',
  type: 'auto or integer',
  default: 'auto',
  doc: 'Processes that serve the API, beside one for the work in the background. With 0, one process does everything. `auto` is half of the available cores, at most 8, if each can have 384 MB of memory; it is 0 on fewer than four cores: see docs/operate.md#workers.',
  read: (value) => (value === 'auto' ? value : readInteger(value, { min: 0, max: 64 })),
}

/** The settings of the foundation, which every server has. */
export const FOUNDATION_SETTINGS = {
  ...SERVER_SETTINGS,
  ...DATABASE_SETTINGS,
  ...PROCESS_SETTINGS,
  revision: retired({
    env: 'FLOTILLA_REVISION',
    doc: 'the commit is `gitHead` in package.json, which the build of the image sets',
    read: (value) => value,
  }),
  ...AUTHENTICATION_SETTINGS,
  ...ACCESS_SETTINGS,
  ...OBSERVABILITY_SETTINGS,
  ...RATE_LIMIT_SETTINGS,
  role: choice({
    env: 'ROLE',
    of: ['all', 'api', 'controllers'],
    default: 'all',
    doc: 'Part of the program that this process runs: the API (api), the controllers of planes (controllers), or both (all). Of several processes with controllers, one runs them at a time.',
  }),
  workers: WORKERS,
  cacheBytes: integer({
    env: 'CACHE_BYTES',
    divided: 'processes',
    min: 0,
    default: 536_870_912,
    doc: 'Memory for caches: half of it for snapshots (clusters with all their descendants), a quarter for resources, and a quarter for the roles, definitions and other configuration of planes. The least recently used entries are evicted and read again. 0 turns the caches off.',
  }),
  ...FEED_SETTINGS,
  strictConfiguration: flag({
    env: 'STRICT_CONFIGURATION',
    default: false,
    doc: 'Whether a server stays unready while an older live server of the same database has a different configuration.',
  }),
  ...SHUTDOWN_SETTINGS,
  readCacheBytes: retired({
    env: 'READ_CACHE_BYTES',
    doc: 'resources have a quarter of CACHE_BYTES',
    read: (value) => readInteger(value, { min: 0 }),
  }),
  reportCacheBytes: retired({
    env: 'REPORT_CACHE_BYTES',
    doc: 'the server does not cache reports',
    read: (value) => readInteger(value, { min: 0 }),
  }),
} as const satisfies Record<string, Setting<unknown>>

/** The values of the foundation's settings by name. */
export type FoundationValues = ValuesOf<typeof FOUNDATION_SETTINGS>

/** Values that follow from settings of the foundation, or are the same on every server. */
export type FoundationDerived = {
  /** Commit that the server was built from; null if it is unknown. */
  readonly revision: string | null
  /** Claim with the groups of the users whose keys JWT_JWKS_URL or JWT_JWKS_FILE names. */
  readonly jwtGroupsClaim: string
  /** Maximum number of changes in the log of resources, regardless of their age. */
  readonly feedRetentionChanges: number
  /** Time that requests in flight have to finish after SIGTERM and the delay. */
  readonly shutdownTimeoutMs: number
  /** Memory of the cache of resources. */
  readonly readCacheBytes: number
  /** Time that a statement waits for a connection before the request fails with 503. */
  readonly databaseConnectTimeoutMs: number
  /** A replica that is further behind the primary is not used. In seconds. */
  readonly replicaMaxLag: number
  /** Maximum number of concurrent searches. */
  readonly searchSlots: number
  /** Time that a search waits for others to finish before it fails with 429. */
  readonly searchWaitMs: number
  /** Maximum number of bytes that wait for the client of a watch. */
  readonly watchBufferBytes: number
  /** Maximum number of bytes that wait for the clients of all watches together. */
  readonly watchTotalBufferBytes: number
  readonly bulkBodyLimitBytes: number
  /** Maximum time of a request to the collector of traces. */
  readonly otlpTimeoutMs: number
}

/** The configuration of the foundation. */
export type FoundationConfig = FoundationValues & FoundationDerived

const MIB = 1_048_576

/** The derived values of one of the workers of a server with these settings. */
export function deriveFoundation(values: FoundationValues, workers = 1): FoundationDerived {
  const { statementTimeoutMs } = values
  return {
    revision: values.revision ?? packageRevision(),
    jwtGroupsClaim: groupsClaimOf(values),
    feedRetentionChanges: retainedChanges(values),
    shutdownTimeoutMs: values.shutdownTimeoutMs ?? 20_000,
    readCacheBytes: values.readCacheBytes ?? Math.floor(values.cacheBytes / 4),
    databaseConnectTimeoutMs:
      values.databaseConnectTimeoutMs ?? Math.max(100, Math.floor(statementTimeoutMs / 2)),
    replicaMaxLag: values.replicaMaxLag ?? 10,
    // Searches leave connections to reads and writes.
    searchSlots: values.searchSlots ?? Math.max(1, Math.floor((values.databasePoolSize * 2) / 5)),
    searchWaitMs: values.searchWaitMs ?? Math.floor(statementTimeoutMs / 2),
    watchBufferBytes: values.watchBufferBytes ?? MIB,
    watchTotalBufferBytes: values.watchTotalBufferBytes ?? Math.floor((256 * MIB) / workers),
    bulkBodyLimitBytes: values.bulkBodyLimitBytes ?? Math.max(16 * MIB, values.bodyLimitBytes),
    otlpTimeoutMs: values.otlpTimeoutMs ?? 10_000,
  }
}
