import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from './settings.ts'
import { createApp } from '../hyperfleet/app.ts'
import type { AppOptions } from '../hyperfleet/routes/app-options.ts'
import { fleetAuthorizer } from './fleet-authorizer.ts'
import { problemOf } from '../hyperfleet/errors/problem.ts'
import { composeKplane } from '../fleets/openapi/compose-kplane.ts'
import { planeErrors } from '../planes/http/plane-errors.ts'
import { loadBase } from '../hyperfleet/openapi/load.ts'
import { announceClosing } from '../http/server/announce-closing.ts'
import { drain } from '../http/server/drain.ts'
import { createHttpServer } from '../http/server/http-server.ts'
import { recordRequest } from '../http/observability/record-request.ts'
import { createHealthServer, createMetricsServer } from '../http/server/probes.ts'
import { type Feed, startFeed } from '../store/feed/feed.ts'
import { hyperfleetRepresentation } from '../hyperfleet/wire/representation.ts'
import type { ProbePorts } from '../hyperfleet/service/index-links.ts'
import { WatchStreams } from '../http/streams/watch-streams.ts'
import { RateWindow } from '../overview/rate-window.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { AdapterWork } from '../adapter-work/adapter-work.ts'
import { joinServers, type Membership } from '../store/operations/servers/membership.ts'
import { sharedConfiguration } from '../store/operations/servers/shared-configuration.ts'
import type { Database } from '../store/database/database.ts'
import type { Replicas } from '../store/replicas/replicas.ts'
import { systemClock } from '../lib/clock.ts'
import { createLifecycle } from '../lib/async/lifecycle.ts'
import { listen } from '../lib/listen.ts'
import { serveConsole } from '../console/serve-console.ts'
import type { LiveSettings } from './live-settings.ts'
import { listenFailure, type PortSetting } from './listen-failure.ts'
import { openCertificate } from './open-certificate.ts'
import { openParts } from './open-parts.ts'
import { openAuthenticator } from './open-authenticator.ts'
import { openTenantRouting, type TenantRouting } from './open-tenant-routing.ts'
import { startAudit } from './start-audit.ts'
import { startHistory } from './start-history.ts'
import { startBackground } from './start-background.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { requireFreePorts } from './require-free-ports.ts'
import { createFoundation } from './create-foundation.ts'
import { createOperations } from './create-operations.ts'
import type { Foundation, Overrides } from './foundation.ts'
import { startReplicas } from './start-replicas.ts'
import { startDatabase } from './start-database.ts'
import { sharedSettings } from './shared-settings.ts'
import { type Planes, startPlanes } from './start-planes.ts'

const NEVER_ABORTED = new AbortController().signal
const PROBE_DRAIN_MS = 1000

const root = new URL('../../', import.meta.url)
const consoleFolder = fileURLToPath(new URL('clients/console/dist', root))

/** A running server. Disposing it finishes the requests in flight and closes everything. */
export interface Flotilla extends AsyncDisposable {
  readonly port: number
  readonly healthPort: number
  readonly metricsPort: number
  /** Accepts new kinds while the server runs. */
  readonly registry: Registry
  readonly planes: Planes
  /** The settings in effect. */
  readonly settings: LiveSettings
}

/**
 * The composition root: creates every part in this order and closes them in the reverse order.
 * The liveness probe works from the start; the server is ready once the API listens.
 */
export async function startFlotilla(config: Config, overrides: Overrides): Promise<Flotilla> {
  const { log } = overrides
  const lifecycle = createLifecycle((name, error) => {
    log.error({ err: error }, `closing ${name} failed`)
  })
  try {
    const foundation = await createFoundation(config, overrides, lifecycle)
    const { settings, metrics, tracer, registry } = foundation
    const readiness = createReadiness()
    const healthPort = await serve(foundation, {
      name: 'health',
      server: createHealthServer(readiness, problemOf),
      setting: 'HEALTH_PORT',
      port: config.healthPort,
      drainMs: PROBE_DRAIN_MS,
    })
    const metricsPort = await serve(foundation, {
      name: 'metrics',
      server: createMetricsServer(metrics.registry, problemOf, foundation.browserCheck),
      setting: 'METRICS_PORT',
      port: config.metricsPort,
      drainMs: PROBE_DRAIN_MS,
    })
    await requireFreePorts(config)
    const database = await startDatabase(foundation)
    const membership = await join(foundation, database)
    const feed = await startFeedOf(foundation, database)
    startHistory(foundation, database, feed)
    const replicas = startReplicas(foundation, database)
    const probes = { host: config.host, healthPort, metricsPort }
    const parts = { database, membership, replicas, feed, probes, readiness }
    const { port, planes, server } = await startApi(foundation, parts)
    if (config.role !== 'api') {
      const { signal = NEVER_ABORTED } = overrides
      const shared = { config, log, lifecycle, metrics, tracer }
      startBackground({ ...shared, database, feed, planes, port, signal })
    }
    lifecycle.onClose('balanced connections', () =>
      server === null ? undefined : announceClosing(server, config.shutdownDelayMs),
    )
    readiness.serve({ database, feed, membership, strict: config.strictConfiguration })
    lifecycle.onClose('readiness', () => readiness.stop())
    log.info(
      { host: config.host, port, health_port: healthPort, metrics_port: metricsPort },
      'ready',
    )
    return {
      port,
      healthPort,
      metricsPort,
      registry,
      planes,
      settings,
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

interface Listener {
  readonly name: string
  readonly server: Server
  readonly setting: PortSetting
  readonly port: number
  /** Time that responses in flight have to finish when it closes. */
  readonly drainMs: number
}

async function serve({ config, lifecycle }: Foundation, listener: Listener): Promise<number> {
  const { name, server, setting, drainMs } = listener
  const port = await listen(server, listener.port, config.host).catch((error: unknown) => {
    throw listenFailure(error, setting)
  })
  lifecycle.onClose(name, () => drain(server, { timeoutMs: drainMs }))
  return port
}

async function join(foundation: Foundation, database: Database): Promise<Membership> {
  const { config, overrides, lifecycle, metrics, registry, times } = foundation
  const reports = new RateWindow()
  const membership = await joinServers({
    database,
    host: hostname(),
    configuration: sharedConfiguration(registry, sharedSettings(config)),
    reportsPerSecond: () => {
      reports.sample(performance.now(), metrics.acceptedReports())
      return reports.perSecond
    },
    onHeartbeat: (others) => times.update(database, others),
    log: overrides.log,
  })
  metrics.exposeConfigurationMismatch(membership)
  lifecycle.onClose('membership', () => membership[Symbol.asyncDispose]())
  return membership
}

async function startFeedOf(foundation: Foundation, database: Database): Promise<Feed> {
  const { config, overrides, lifecycle, metrics } = foundation
  const feed = await startFeed({
    database,
    retention: { seconds: config.feedRetention, changes: config.feedRetentionChanges },
    onError: (error) => overrides.log.warn({ err: error }, 'the feed of changes waits'),
  })
  metrics.exposeFeedLag(feed)
  lifecycle.onClose('feed', () => feed[Symbol.asyncDispose]())
  return feed
}

async function loadDocuments(): Promise<Pick<AppOptions, 'base' | 'fleetDocument'>> {
  const base = await loadBase(new URL('openapi/base.yaml', root))
  const fleetBase = await loadBase(new URL('openapi/kplane-base.yaml', root))
  return { base, fleetDocument: () => composeKplane(fleetBase) }
}

/** The package is loaded only for servers that verify themselves. */
async function loadProof(): Promise<NonNullable<AppOptions['createProof']>> {
  const { createProof } = await import('../http/validation/openapi-proof.ts')
  return createProof
}

function openStreams({ config, overrides, metrics }: Foundation): WatchStreams {
  return new WatchStreams({
    limit: config.watchLimit,
    bufferBytes: config.watchBufferBytes,
    totalBufferBytes: config.watchTotalBufferBytes,
    heartbeatSeconds: config.watchHeartbeat,
    maxAgeSeconds: config.watchMaxAge,
    clock: overrides.clock ?? systemClock,
    random: Math.random,
    metrics,
  })
}

/** The settings of the rules that apply to every request. */
function requestRules({
  config,
  settings,
  tracer,
  rateLimits,
  browserCheck,
}: Foundation): Pick<
  AppOptions,
  | 'scope'
  | 'rateLimits'
  | 'browserCheck'
  | 'corsOrigins'
  | 'unknownParameters'
  | 'bodyLimit'
  | 'bulkBodyLimit'
> {
  return {
    rateLimits,
    browserCheck,
    scope: { tracer, isRecorded: () => settings.current.slowQueryMs > 0 },
    corsOrigins: () => settings.current.corsOrigins,
    unknownParameters: config.unknownParameters,
    bodyLimit: config.bodyLimitBytes,
    bulkBodyLimit: config.bulkBodyLimitBytes,
  }
}

interface Api {
  /** 0 if this process does not serve the API. */
  readonly port: number
  readonly planes: Planes
  readonly server: Server | null
}

/** The console, unless it is off. */
function consoleOf(config: Foundation['config']): AppOptions['mounts'] {
  return config.console === 'on' ? [serveConsole(consoleFolder)] : []
}

/** The parts that requests of the API use. */
interface ApiParts {
  readonly database: Database
  readonly membership: Membership
  readonly replicas: Replicas | null
  readonly feed: Feed
  readonly probes: ProbePorts
  readonly readiness: Readiness
}

async function startApi(
  foundation: Foundation,
  { database, membership, replicas, feed, probes, readiness }: ApiParts,
): Promise<Api> {
  const { config, overrides, lifecycle, metrics, registry } = foundation
  const { log, clock = systemClock } = overrides
  const documents = await loadDocuments()
  const authenticator = await openAuthenticator(config, { clock, log })
  lifecycle.onClose('authenticator', () => authenticator[Symbol.asyncDispose]())
  const wire = { registry, family: config.conditionFamily }
  const representation = hyperfleetRepresentation(wire)
  const operations = createOperations(foundation, { database, replicas, feed, representation })
  const streams = openStreams(foundation)
  const routing = await openTenantRouting(foundation, { database, authenticator })
  const { gateway } = routing
  const added = openParts(foundation, { operations, wire, membership })
  const { base } = documents
  const { rateLimits } = foundation
  const parts = { config, database, streams, rateLimits, log, clock, operations, base }
  const planes = await startPlanes({
    ...parts,
    readiness,
    authentication: { authenticator, gateway },
  })
  lifecycle.onClose('planes', () => planes[Symbol.asyncDispose]())
  const app = createApp({
    mounts: [...consoleOf(config), ...routing.mounts, planeErrors(clock), planes.handler],
    audit: startAudit(foundation, database),
    streams,
    parts: added.with(planes.objects),
    verbs: {
      operations,
      metrics,
      defaultPageSize: config.defaultPageSize,
      wire,
      representation,
    },
    subresources: overrides.subresources ?? {},
    authenticator,
    gateway,
    actAs: planes.actAs,
    authorizer: fleetAuthorizer({ config, database, registry, planes }),
    log,
    clock,
    ...documents,
    probes,
    ...requestRules(foundation),
    createProof: config.verifyOpenapi ? await loadProof() : null,
  })
  if (config.role === 'controllers') return { port: 0, planes, server: null }
  const { port, server } = await serveApp(foundation, app, routing)
  endStreamsFirst(lifecycle, { streams, adapterWork: added.adapterWork, routing, planes })
  return { port, planes, server }
}

interface EndlessResponses {
  readonly streams: WatchStreams
  readonly adapterWork: AdapterWork
  readonly routing: TenantRouting
  readonly planes: Planes
}

/** Closed before the server is drained, which would wait for these endless responses. */
function endStreamsFirst(
  lifecycle: Foundation['lifecycle'],
  { streams, adapterWork, routing, planes }: EndlessResponses,
): void {
  lifecycle.onClose('watches', () => streams[Symbol.asyncDispose]())
  lifecycle.onClose('waiting adapters', () => adapterWork[Symbol.dispose]())
  lifecycle.onClose('forwarded requests', routing.stopForwarding)
  lifecycle.onClose('delegation', () => planes.delegation[Symbol.dispose]())
}

/** Listens for requests of the API, and of the servers of other shards. */
async function serveApp(
  foundation: Foundation,
  app: ReturnType<typeof createApp>,
  { peerTls }: TenantRouting,
): Promise<{ readonly port: number; readonly server: Server }> {
  const { config, overrides, lifecycle, metrics } = foundation
  const { log, clock = systemClock } = overrides
  const certificate = await openCertificate(config, log)
  if (certificate !== null) lifecycle.onClose('certificate', () => certificate[Symbol.dispose]())
  const options: Parameters<typeof createHttpServer>[1] = {
    clock,
    renderError: problemOf,
    onRejected: (exchange) => recordRequest({ log, metrics }, exchange),
  }
  const server = createHttpServer(app, { ...options, certificate })
  const { shutdownTimeoutMs: drainMs, shardPort } = config
  if (shardPort !== null && peerTls !== null) {
    const { certificate: peerCertificate, authority: clientAuthority } = peerTls
    const forServers = { ...options, certificate: peerCertificate, clientAuthority }
    const peerServer = createHttpServer(app, forServers)
    const listener = { name: 'shards', server: peerServer, port: shardPort, drainMs } as const
    await serve(foundation, { ...listener, setting: 'SHARD_PORT' })
  }
  const listener = { name: 'api', server, port: config.port, drainMs } as const
  const port = await serve(foundation, { ...listener, setting: 'PORT' })
  return { port, server }
}
