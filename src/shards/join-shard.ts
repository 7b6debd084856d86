import type { RequestHandler } from 'express'
import { applyMigrations } from '../capability/apply-migrations.ts'
import type { Parts } from '../capability/capability.ts'
import type { hyperfleet } from '../hyperfleet/capability.ts'
import { PAGE_FOLDER } from '../hyperfleet/openapi/document-paths.ts'
import { BASE_PATH } from '../hyperfleet/paths/base-path.ts'
import { createForwarder } from '../http/forwarding/forwarder.ts'
import { must } from '../lib/assert.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import type { Database } from '../store/database/database.ts'
import { claimShard } from './claim-shard.ts'
import { createLocator } from './http/locate-resource.ts'
import { createOpenResponses } from './http/open-responses.ts'
import type { ShardClient } from './http/shard-client.ts'
import { createShardRouter, type RouterOptions } from './http/shard-router.ts'
import { openDirectoryDatabase } from './open-directory-database.ts'
import type { PeerCertificate } from './open-peer-tls.ts'
import { createShardDirectory } from './shard-directory.ts'
import { createShardMetrics } from './shard-metrics.ts'
import type { SHARD_SETTINGS } from './shard-settings.ts'
import { followShardTenants } from './shard-tenants.ts'

const CONTRADICTION =
  'after a failover, the database has tenants that the directory has in other shards; this shard does not serve them: run flotilla shards keep TENANT NAME for each'

const PUBLIC_FOLDERS = ['/console', PAGE_FOLDER, `${BASE_PATH}/openapi`]

type Values = ValuesOf<typeof SHARD_SETTINGS> & { readonly shardResponseTimeoutMs: number }
type ShardParts = Parts<Values, { hyperfleet: typeof hyperfleet }>

interface Joining extends Pick<RouterOptions, 'isAuthenticated'> {
  readonly name: string
  /** The certificate for the servers of other shards; null without mutual TLS. */
  readonly peerTls: PeerCertificate | null
  readonly client: Pick<ShardClient, 'hops' | 'addressOf' | 'closing'>
}

/** Joins a shard. Returns the stage that sends each request to the shard of its tenant. */
export async function joinShard(
  parts: ShardParts,
  { name, client: toServers, isAuthenticated, peerTls }: Joining,
): Promise<RequestHandler> {
  const { config, database, lifecycle, log, metrics, registry, tables, api, needs } = parts
  const directory = await openDirectory(parts)
  await claimShard({ database, directory }, tables, name)
  const responses = createOpenResponses()
  lifecycle.onClose('responses of tenants', () => responses[Symbol.dispose]())
  const tenants = await followShardTenants({
    name,
    database,
    directory,
    onDeparted: (tenant) => responses.depart(tenant),
    onMisplaced: (misplaced) => {
      log.error({ misplaced }, CONTRADICTION)
      for (const { tenant } of misplaced) responses.depart(tenant)
    },
    onError: (error) => log.warn({ err: error }, 'the states of tenants cannot be read'),
  })
  lifecycle.onClose('tenants', () => tenants[Symbol.asyncDispose]())
  const forwarder = createForwarder({
    responseTimeoutMs: config.shardResponseTimeoutMs,
    tls: () => peerTls && { ...peerTls.certificate.current(), ca: peerTls.authority },
  })
  lifecycle.onClose('connections to shards', () => forwarder[Symbol.dispose]())
  const client = { ...toServers, directory: createShardDirectory(directory), forwarder }
  return createShardRouter({
    parts: { name, tenants, directory: client.directory },
    client,
    locator: createLocator({ name, database, client }),
    responses,
    gateway: api.gateway,
    isAuthenticated,
    registry,
    defaultPageSize: needs.hyperfleet.defaultPageSize,
    isPublic,
    onForwarded: createShardMetrics(metrics.registry).forwarded,
  })
}

/** The index, the documents and the console are the same in every shard. */
function isPublic(path: string): boolean {
  if (path === '/' || path === BASE_PATH) return true
  return PUBLIC_FOLDERS.some((folder) => path.startsWith(folder))
}

async function openDirectory({
  config,
  lifecycle,
  log,
  metrics,
  signal,
}: ShardParts): Promise<Database> {
  const url = must(config.shardDirectoryUrl, 'SHARD_DIRECTORY_URL')
  const database = openDirectoryDatabase(config, url, {
    observe: metrics.observeStatement,
    onIdleError: (error) => log.warn({ err: error }, 'an idle connection to the directory broke'),
  })
  lifecycle.onClose('directory', () => database[Symbol.asyncDispose]())
  await applyMigrations(database, { log, signal })
  return database
}
