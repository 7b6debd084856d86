import { TABLES } from './tables.ts'
import { hostname } from 'node:os'
import { type Api, createApi, type ProbePorts } from '../capability/api.ts'
import type { Foundation } from '../capability/foundation.ts'
import type { LiveSettings } from '../capability/live-settings.ts'
import { type OpenCapabilities, openCapabilities } from '../capability/open-capabilities.ts'
import { createGateway } from '../http/auth/gateway.ts'
import { openAuthenticator } from '../http/auth/open-authenticator.ts'
import { WatchStreams } from '../http/streams/watch-streams.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { createLifecycle } from '../lib/async/lifecycle.ts'
import type { JsonObject } from '../lib/json/json.ts'
import { RateWindow } from '../overview/rate-window.ts'
import type { Database } from '../store/database/database.ts'
import { type Feed, startFeed } from '../store/feed/feed.ts'
import { joinServers, type Membership } from '../store/operations/servers/membership.ts'
import { sharedConfiguration } from '../store/operations/servers/shared-configuration.ts'
import type { Registry } from '../store/registry/registry.ts'
import { CAPABILITIES } from './capabilities.ts'
import { createFoundation } from './create-foundation.ts'
import { serveApi, serveProbes } from './listeners.ts'
import type { Overrides } from './overrides.ts'
import { requireFreePorts } from './require-free-ports.ts'
import type { Config } from './config.ts'
import { sharedSettings } from './shared-settings.ts'
import { startDatabase } from './start-database.ts'
import { startReplicas } from './start-replicas.ts'

/** A running server. Disposing it finishes the requests in flight and closes everything. */
export interface Flotilla extends AsyncDisposable {
  readonly port: number
  readonly healthPort: number
  readonly metricsPort: number
  /** Accepts new kinds while the server runs. */
  readonly registry: Registry
  readonly portsOf: OpenCapabilities['portsOf']
  /** The changes of resources. */
  readonly feed: Feed
  /** The settings in effect. */
  readonly settings: LiveSettings<Config>
}

/**
 * Starts a server: the foundation, then all capabilities in their order, then the listener of the
 * API, then the work in the background. It closes in the reverse order: it is not ready, announces
 * that it closes, stops the work, ends responses without an end, lets requests finish, and closes
 * all parts. The liveness probe works from the start.
 */
export async function startFlotilla(config: Config, overrides: Overrides): Promise<Flotilla> {
  const { log, capabilities: list = CAPABILITIES, subresources, worker } = overrides
  const lifecycle = createLifecycle((name, error) => {
    log.error({ err: error }, `closing ${name} failed`)
  })
  try {
    const foundation = await createFoundation(config, overrides, lifecycle)
    const { readiness, registry, settings } = foundation
    const probes = worker?.showProbes(foundation) ?? (await serveProbes(foundation))
    if (!worker) await requireFreePorts(config, list)
    const database = await startDatabase(foundation, overrides.onDatabaseExit)
    const membership = await join(foundation, database, sharedSettings(config, list))
    const feed = await startFeedOf(foundation, database)
    const replicas = startReplicas(foundation, database)
    const api = await openApi(foundation, probes)
    const parts = { ...foundation, database, membership, feed, replicas, api, tables: TABLES }
    const capabilities = await openCapabilities(list, parts)
    if (subresources) capabilities.portsOf(hyperfleet).subresources = subresources
    await capabilities.seal()
    const listener = config.role === 'controllers' ? null : await serveApi(foundation, api)
    const port = listener?.port ?? worker?.apiPort ?? 0
    capabilities.run(port)
    lifecycle.onClose('balanced connections', () => listener?.announce())
    readiness.serve({ database, feed, membership, strict: config.strictConfiguration })
    lifecycle.onClose('readiness', () => readiness.stop())
    const { host, healthPort, metricsPort } = probes
    const ports = { host, port, health_port: healthPort, metrics_port: metricsPort }
    if (!worker) log.info(ports, 'ready')
    return {
      port,
      healthPort,
      metricsPort,
      registry,
      portsOf: capabilities.portsOf,
      feed,
      settings,
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

async function join(
  foundation: Foundation,
  database: Database,
  settings: JsonObject,
): Promise<Membership> {
  const { lifecycle, log, metrics, registry, times } = foundation
  const reports = new RateWindow()
  const membership = await joinServers({
    database,
    host: hostname(),
    configuration: sharedConfiguration(registry, settings),
    reportsPerSecond: () => {
      reports.sample(performance.now(), metrics.acceptedReports())
      return reports.perSecond
    },
    onHeartbeat: (others) => times.update(database, others),
    log,
  })
  metrics.exposeConfigurationMismatch(membership)
  lifecycle.onClose('membership', () => membership[Symbol.asyncDispose]())
  return membership
}

async function startFeedOf(foundation: Foundation, database: Database): Promise<Feed> {
  const { config, lifecycle, log, metrics } = foundation
  const feed = await startFeed({
    database,
    retention: { seconds: config.feedRetention, changes: config.feedRetentionChanges },
    onError: (error) => log.warn({ err: error }, 'the feed of changes waits'),
  })
  metrics.exposeFeedLag(feed)
  lifecycle.onClose('feed', () => feed[Symbol.asyncDispose]())
  return feed
}

/** The parts of the API's server that every capability may use. */
async function openApi(foundation: Foundation, probes: ProbePorts): Promise<Api> {
  const { clock, config, forwarded, lifecycle, log, metrics } = foundation
  const authenticator = await openAuthenticator(config, { clock, log })
  lifecycle.onClose('authenticator', () => authenticator[Symbol.asyncDispose]())
  const gateway = createGateway(config, (request) => forwarded.read(request) !== null)
  const streams = new WatchStreams({
    limit: config.watchLimit,
    bufferBytes: config.watchBufferBytes,
    totalBufferBytes: config.watchTotalBufferBytes,
    heartbeatSeconds: config.watchHeartbeat,
    maxAgeSeconds: config.watchMaxAge,
    clock,
    random: Math.random,
    metrics,
    onError: (error) => log.error({ err: error }, 'a permission of a watch cannot be checked'),
  })
  return createApi({ authenticator, gateway, streams, probes })
}
