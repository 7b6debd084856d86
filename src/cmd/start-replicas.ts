import type { Database } from '../store/database/database.ts'
import { openDatabase } from '../store/database/open-database.ts'
import { type Replicas, startReplicas as start } from '../store/replicas/replicas.ts'
import { must } from '../lib/assert.ts'
import { createSemaphore } from '../lib/async/semaphore.ts'
import { parseDatabaseUrl } from '../lib/database-url.ts'
import type { Foundation } from '../capability/foundation.ts'

/** Opens the replicas of the settings. Null if there are none. */
export function startReplicas(foundation: Foundation, primary: Database): Replicas | null {
  const { config, log, lifecycle, metrics } = foundation
  if (config.databaseReplicaUrls.length === 0) return null
  const observed = metrics.replicas()
  const replicas = start({
    primary,
    replicas: new Map(
      config.databaseReplicaUrls.map((url, index) => [nameOf(url, index), open(foundation, url)]),
    ),
    maxLagSeconds: config.replicaMaxLag,
    servesStale: config.replicaReads === 'stale',
    searches: createSemaphore(
      config.searchSlots * config.databaseReplicaUrls.length,
      config.searchWaitMs,
    ),
    onRead: observed.countRead,
    onChange: (replica, problem) => {
      if (problem === null) log.info({ replica }, 'a replica is in use')
      else log.warn({ replica, problem }, 'a replica is not used')
    },
  })
  observed.expose(replicas)
  lifecycle.onClose('replicas', () => replicas[Symbol.asyncDispose]())
  return replicas
}

/** The address of a replica, without its password. The number distinguishes replicas on one host. */
function nameOf(url: string, index: number): string {
  const { host, searchParams } = must(parseDatabaseUrl(url), 'a valid URL')
  return `${index + 1}:${searchParams.get('host') ?? host}`
}

function open({ config, log, metrics, times }: Foundation, url: string): Database {
  return openDatabase({
    url,
    acceptsStandbys: true,
    preparedStatements: config.databasePreparedStatements === 'on',
    mayPrepare: () => times.unit() === 'microsecond',
    poolSize: config.databasePoolSize,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    observe: metrics.observeStatement,
    onIdleError: (error) => log.debug({ err: error }, 'a connection to a replica broke'),
  })
}
