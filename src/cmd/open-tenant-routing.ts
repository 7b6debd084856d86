import type { IncomingMessage } from 'node:http'
import type { AppOptions } from '../hyperfleet/routes/app-options.ts'
import { createLocator } from '../shards/http/locate-resource.ts'
import { createOpenResponses } from '../shards/http/open-responses.ts'
import type { ShardClient } from '../shards/http/shard-client.ts'
import { createShardHops } from '../shards/http/shard-hop.ts'
import { createShardRouter, type RouterOptions } from '../shards/http/shard-router.ts'
import { PAGE_FOLDER } from '../hyperfleet/openapi/document-paths.ts'
import { BASE_PATH } from '../hyperfleet/paths/base-path.ts'
import type { Config } from './settings.ts'
import { claimShard } from '../shards/claim-shard.ts'
import { createShardDirectory } from '../shards/shard-directory.ts'
import { followShardTenants } from '../shards/shard-tenants.ts'
import type { Database } from '../store/database/database.ts'
import { openDatabase } from '../store/database/open-database.ts'
import { sharedAbort } from '../lib/async/shared-abort.ts'
import { authorizationOf } from '../http/auth/authenticate.ts'
import type { Authenticator } from '../http/auth/authenticator.ts'
import { createGateway, type Gateway } from '../http/auth/gateway.ts'
import { createForwarder } from '../http/forwarding/forwarder.ts'
import { must } from '../lib/assert.ts'
import { applyMigrations } from './apply-migrations.ts'
import type { Foundation } from './foundation.ts'
import { openPeerTls, type PeerCertificate } from './open-peer-tls.ts'

/** Connections to the directory. Tenants are looked up once, and new ones are rare. */
const DIRECTORY_POOL_SIZE = 4

const CONTRADICTION =
  'after a failover, the database has tenants that the directory has in other shards; this shard does not serve them: run flotilla shards keep TENANT NAME for each'

const PUBLIC_FOLDERS = ['/console', PAGE_FOLDER, `${BASE_PATH}/openapi`]

/** How requests reach the server of their tenant. */
export interface TenantRouting {
  /** Reads the tenants of requests. */
  readonly gateway: Gateway
  /** The stage that sends each request to the shard of its tenant. None without shards. */
  readonly mounts: AppOptions['mounts']
  /** The certificate for the servers of other shards; null without mutual TLS. */
  readonly peerTls: PeerCertificate | null
  /** Ends forwarded requests, among them watches. Must run before the server is drained. */
  readonly stopForwarding: () => void
}

/** Opens the gateway, and joins the shard that the settings name. */
export async function openTenantRouting(
  foundation: Foundation,
  {
    database,
    authenticator,
  }: { readonly database: Database; readonly authenticator: Authenticator },
): Promise<TenantRouting> {
  const { config } = foundation
  const { shardName, shardKey, shardPort } = config
  if (shardName === null || shardKey === null) {
    const gateway = createGateway(config)
    return { gateway, mounts: [], peerTls: null, stopForwarding: () => undefined }
  }
  const peerTls = await openPeerTls(config, foundation.overrides.log)
  if (peerTls !== null)
    foundation.lifecycle.onClose('shard certificate', () => peerTls[Symbol.dispose]())
  const hops = createShardHops(shardKey, { needsCertificate: shardPort !== null })
  const gateway = createGateway(config, (request) => hops.read(request) !== null)
  const closing = sharedAbort()
  const client = { hops, addressOf: foundation.clientAddress, closing: closing.signal }
  const isAuthenticated = async (request: IncomingMessage): Promise<boolean> => {
    try {
      gateway.callerOf(request, await authenticator.authenticate(authorizationOf(request)))
      return true
    } catch {
      // The later stages respond with the error.
      return false
    }
  }
  const joining = { name: shardName, gateway, client, isAuthenticated, peerTls }
  const router = await joinShard(foundation, database, joining)
  return { gateway, mounts: [router], peerTls, stopForwarding: () => closing.abort() }
}

interface Joining extends Pick<RouterOptions, 'isAuthenticated'> {
  readonly name: string
  readonly peerTls: PeerCertificate | null
  readonly gateway: Gateway
  readonly client: Pick<ShardClient, 'hops' | 'addressOf' | 'closing'>
}

async function joinShard(
  foundation: Foundation,
  database: Database,
  { name, gateway, client: toServers, isAuthenticated, peerTls }: Joining,
): Promise<AppOptions['mounts'][number]> {
  const { config, overrides, lifecycle, metrics, registry } = foundation
  const directory = await openDirectory(foundation)
  await claimShard({ database, directory }, name)
  const responses = createOpenResponses()
  lifecycle.onClose('responses of tenants', () => responses[Symbol.dispose]())
  const tenants = await followShardTenants({
    name,
    database,
    directory,
    onDeparted: (tenant) => responses.depart(tenant),
    onMisplaced: (misplaced) => {
      overrides.log.error({ misplaced }, CONTRADICTION)
      for (const { tenant } of misplaced) responses.depart(tenant)
    },
    onError: (error) => overrides.log.warn({ err: error }, 'the states of tenants cannot be read'),
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
    gateway,
    isAuthenticated,
    registry,
    defaultPageSize: config.defaultPageSize,
    isPublic,
    onForwarded: metrics.shards().forwarded,
  })
}

/** The index, the documents and the console are the same in every shard. */
function isPublic(path: string): boolean {
  if (path === '/' || path === BASE_PATH) return true
  return PUBLIC_FOLDERS.some((folder) => path.startsWith(folder))
}

async function openDirectory({
  config,
  overrides,
  lifecycle,
  metrics,
}: Foundation): Promise<Database> {
  const { log, signal } = overrides
  const url = must(config.shardDirectoryUrl, 'SHARD_DIRECTORY_URL')
  const database = openDirectoryDatabase(config, url, {
    observe: metrics.observeStatement,
    onIdleError: (error) => log.warn({ err: error }, 'an idle connection to the directory broke'),
  })
  lifecycle.onClose('directory', () => database[Symbol.asyncDispose]())
  await applyMigrations(database, { log, signal })
  return database
}

type DirectoryObserver = Pick<Parameters<typeof openDatabase>[0], 'observe' | 'onIdleError'>

/** Opens a few connections to the directory, or to the database of a shard. */
export function openDirectoryDatabase(
  config: Pick<
    Config,
    'statementTimeoutMs' | 'databaseConnectTimeoutMs' | 'databasePreparedStatements'
  >,
  url: string,
  observer: DirectoryObserver,
): Database {
  return openDatabase({
    url,
    preparedStatements: config.databasePreparedStatements === 'on',
    poolSize: DIRECTORY_POOL_SIZE,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    ...observer,
  })
}
