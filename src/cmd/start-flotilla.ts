import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import { createApp } from '../apis/hyperfleet/app.ts'
import type { AppOptions } from '../apis/hyperfleet/routes/app-options.ts'
import { fleetAuthorizer } from './fleet-authorizer.ts'
import { createGateway } from '../http/auth/gateway.ts'
import { problemOf } from '../apis/hyperfleet/errors/problem.ts'
import { composeKplane } from '../apis/kplane/openapi/compose-kplane.ts'
import { loadBase, loadSpecSchemas } from '../apis/hyperfleet/openapi/load.ts'
import { drain } from '../http/server/drain.ts'
import { createHttpServer } from '../http/server/http-server.ts'
import { createMetrics, type Metrics } from '../http/observability/metrics.ts'
import { recordRequest } from '../http/observability/record-request.ts'
import { createHealthServer, createMetricsServer } from '../http/server/probes.ts'
import { type Feed, startFeed } from '../core/feed/feed.ts'
import { createSnapshotCache } from '../core/snapshots/snapshot-cache.ts'
import { hyperfleetRepresentation } from '../apis/hyperfleet/wire/representation.ts'
import type { ProbePorts } from '../apis/hyperfleet/service/index-links.ts'
import { WatchStreams } from '../http/streams/watch-streams.ts'
import { RateWindow } from '../core/overview/rate-window.ts'
import type { Kind } from '../core/registry/kind.ts'
import { createRegistry, type Registry } from '../core/registry/registry.ts'
import type { StatusContext } from '../statuses/operations/status-context.ts'
import type { Representation } from '../core/operations/read/representation.ts'
import { createInsertBatches } from '../core/operations/write/insert-batches.ts'
import { statusHooks } from '../statuses/conditions/status-hooks.ts'
import { createReportBatches } from '../statuses/operations/report-batches.ts'
import { createResourceCache } from '../core/operations/read/resource-cache.ts'
import { createResourceReader } from '../core/operations/read/resource-reader.ts'
import { joinServers, type Membership } from '../core/operations/servers/membership.ts'
import { sharedConfiguration } from '../core/operations/servers/shared-configuration.ts'
import { type Database, openDatabase } from '../core/storage/database/database.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/start.ts'
import { kinds as builtInKinds } from '../apis/hyperfleet/kinds/index.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createKeyedQueue } from '../lib/async/keyed-queue.ts'
import { createLifecycle, type Lifecycle } from '../lib/async/lifecycle.ts'
import { listen } from '../lib/listen.ts'
import { packageVersion } from '../lib/package-version.ts'
import { createSemaphore } from '../lib/async/semaphore.ts'
import { serveConsole } from '../console/serve-console.ts'
import { applyMigrations } from './apply-migrations.ts'
import { openOverviews } from './open-overviews.ts'
import { openCertificate } from './open-certificate.ts'
import { openAuthenticator } from './open-authenticator.ts'
import { startBackground } from './start-background.ts'
import { createReadiness } from './readiness.ts'
import { sharedSettings } from './shared-settings.ts'
import { type Planes, startPlanes } from './start-planes.ts'

const NEVER_ABORTED = new AbortController().signal
const PROBE_DRAIN_MS = 1000

const root = new URL('../../', import.meta.url)
const consoleFolder = fileURLToPath(new URL('clients/console/dist', root))

interface Overrides {
  readonly log: Logger
  /** The number of lost log lines. */
  readonly lostLogLines?: () => number
  readonly clock?: Clock
  readonly kinds?: readonly Kind[]
  /** The handlers of the kinds' subresources. */
  readonly subresources?: AppOptions['subresources']
  /** Ends the wait for an unreachable database. */
  readonly signal?: AbortSignal
  /** Called if the embedded database server ends unexpectedly. */
  readonly onDatabaseExit?: () => void
}

/** A running server. Disposing it finishes the requests in flight and closes everything. */
export interface Flotilla extends AsyncDisposable {
  readonly port: number
  readonly healthPort: number
  readonly metricsPort: number
  /** Accepts new kinds while the server runs. */
  readonly registry: Registry
  readonly planes: Planes
}

interface Foundation {
  readonly config: Config
  readonly overrides: Overrides
  readonly lifecycle: Lifecycle
  readonly metrics: Metrics
  readonly registry: Registry
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
    // Invalid declarations fail before anything is started.
    const registry = await loadRegistry(config, overrides.kinds ?? builtInKinds)
    const metrics = createMetrics()
    metrics.exposeBuild({ version: packageVersion(), revision: config.revision })
    metrics.exposeLostLogLines(overrides.lostLogLines ?? (() => 0))
    const readiness = createReadiness()
    const foundation = { config, overrides, lifecycle, metrics, registry }
    const healthPort = await serve(foundation, {
      name: 'health',
      server: createHealthServer(readiness, problemOf),
      port: config.healthPort,
      drainMs: PROBE_DRAIN_MS,
    })
    const metricsPort = await serve(foundation, {
      name: 'metrics',
      server: createMetricsServer(metrics.registry, problemOf),
      port: config.metricsPort,
      drainMs: PROBE_DRAIN_MS,
    })
    const database = await startDatabase(foundation)
    const membership = await join(foundation, database)
    const feed = await startFeedOf(foundation, database)
    const probes = { host: config.host, healthPort, metricsPort }
    const { port, planes } = await startApi(foundation, database, feed, probes)
    if (config.role !== 'api') {
      const { signal = NEVER_ABORTED } = overrides
      startBackground({ config, log, lifecycle, metrics, database, feed, planes, signal })
    }
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
  readonly port: number
  /** Time that responses in flight have to finish when it closes. */
  readonly drainMs: number
}

async function serve({ config, lifecycle }: Foundation, listener: Listener): Promise<number> {
  const { name, server, drainMs } = listener
  const port = await listen(server, listener.port, config.host)
  lifecycle.onClose(name, () => drain(server, { timeoutMs: drainMs }))
  return port
}

async function loadRegistry(config: Config, kinds: readonly Kind[]): Promise<Registry> {
  const specSchemas = await loadSpecSchemas(kinds, config.openapiSchemaPath)
  const { requiredAdapters } = config
  return createRegistry({ kinds, specSchemas, requiredAdapters, statusHooks })
}

async function startDatabase(foundation: Foundation): Promise<Database> {
  const { config, overrides, lifecycle, metrics } = foundation
  const { log } = overrides
  const url = config.databaseUrl ?? (await startEmbedded(foundation))
  const database = openDatabase({
    url,
    poolSize: config.databasePoolSize,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    observe: metrics.observeStatement,
    onWriteProblem: (problem) => {
      if (problem === null) log.info('the database takes writes again')
      else log.warn({ problem }, 'the database takes no writes')
    },
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  lifecycle.onClose('database', () => database[Symbol.asyncDispose]())
  metrics.exposePool(database.pool)
  await applyMigrations(database, { url, log, signal: overrides.signal })
  return database
}

async function startEmbedded({ config, overrides, lifecycle }: Foundation): Promise<string> {
  const { log, onDatabaseExit } = overrides
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  lifecycle.onClose('embedded PostgreSQL', () => embedded.stop())
  void embedded.exited.then(() => onDatabaseExit?.())
  return embedded.url
}

async function join(foundation: Foundation, database: Database): Promise<Membership> {
  const { config, overrides, lifecycle, metrics, registry } = foundation
  const reports = new RateWindow()
  const membership = await joinServers({
    database,
    host: hostname(),
    configuration: sharedConfiguration(registry, sharedSettings(config)),
    reportsPerSecond: () => {
      reports.sample(performance.now(), metrics.acceptedReports())
      return reports.perSecond
    },
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

/** The context of the operations. */
function operationsOn(
  foundation: Foundation,
  database: Database,
  feed: Feed,
  representation: Representation,
): StatusContext {
  const { config, overrides, lifecycle, metrics, registry } = foundation
  const snapshots = createSnapshotCache({ database, feed, maxBytes: config.snapshotCacheBytes })
  lifecycle.onClose('snapshots', () => snapshots[Symbol.dispose]())
  metrics.exposeSnapshotCache(snapshots)
  const cache = createResourceCache(config.readCacheBytes)
  const reportBatches = createReportBatches(config.statementTimeoutMs)
  feed.broadcaster.onNewEpoch(() => {
    cache.clear()
    reportBatches.forget()
  })
  return {
    database,
    registry,
    clock: overrides.clock ?? systemClock,
    writes: createKeyedQueue(config.statementTimeoutMs),
    reader: createResourceReader({
      database,
      registry,
      cache,
      representations: [representation],
      timeoutMs: config.statementTimeoutMs,
    }),
    reportBatches,
    insertBatches: createInsertBatches(database, config.statementTimeoutMs),
    feed,
    snapshots,
    searches: createSemaphore(config.searchSlots, config.searchWaitMs),
    onSearchRejected: metrics.searchRejected,
    labelsBumpGeneration: config.labelsBumpGeneration,
  }
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
function requestRules(
  config: Foundation['config'],
): Pick<AppOptions, 'corsOrigins' | 'unknownParameters' | 'bodyLimit' | 'bulkBodyLimit'> {
  return {
    corsOrigins: config.corsOrigins,
    unknownParameters: config.unknownParameters,
    bodyLimit: config.bodyLimitBytes,
    bulkBodyLimit: config.bulkBodyLimitBytes,
  }
}

async function startApi(
  foundation: Foundation,
  database: Database,
  feed: Feed,
  probes: ProbePorts,
): Promise<{ readonly port: number; readonly planes: Planes }> {
  const { config, overrides, lifecycle, metrics, registry } = foundation
  const { log, clock = systemClock } = overrides
  const base = await loadBase(new URL('openapi/base.yaml', root))
  const fleetBase = await loadBase(new URL('openapi/kplane-base.yaml', root))
  const authenticator = await openAuthenticator(config, { clock, log })
  lifecycle.onClose('authenticator', () => authenticator[Symbol.asyncDispose]())
  const wire = { registry, family: config.conditionFamily }
  const representation = hyperfleetRepresentation(wire)
  const operations = operationsOn(foundation, database, feed, representation)
  const streams = openStreams(foundation)
  const overviews = openOverviews(config, { lifecycle, log, ...operations })
  const gateway = createGateway(config)
  const planes = await startPlanes({
    config,
    database,
    streams,
    authentication: { authenticator, gateway },
    log,
    clock,
    operations,
    base,
  })
  lifecycle.onClose('planes', () => planes[Symbol.asyncDispose]())
  const app = createApp({
    mounts: [...(config.console === 'on' ? [serveConsole(consoleFolder)] : []), planes.handler],
    planeObjects: planes.objects,
    streams,
    overviews,
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
    authorizer: fleetAuthorizer({ config, database, registry, planes }),
    log,
    clock,
    base,
    fleetDocument: () => composeKplane(fleetBase),
    probes,
    ...requestRules(config),
    createProof: config.verifyOpenapi ? await loadProof() : null,
  })
  if (config.role === 'controllers') return { port: 0, planes }
  const port = await serveApp(foundation, app)
  // Closed before the server is drained, which would wait for these endless responses.
  lifecycle.onClose('watches', () => streams[Symbol.asyncDispose]())
  lifecycle.onClose('delegation', () => planes.delegation[Symbol.dispose]())
  return { port, planes }
}

/** Listens for requests of the API. Returns the port. */
async function serveApp(
  foundation: Foundation,
  app: ReturnType<typeof createApp>,
): Promise<number> {
  const { config, overrides, lifecycle, metrics } = foundation
  const { log, clock = systemClock } = overrides
  const certificate = await openCertificate(config, log)
  if (certificate !== null) lifecycle.onClose('certificate', () => certificate[Symbol.dispose]())
  const server = createHttpServer(app, {
    clock,
    certificate,
    renderError: problemOf,
    onRejected: (exchange) => recordRequest({ log, metrics }, exchange),
  })
  const { port, shutdownTimeoutMs: drainMs } = config
  return serve(foundation, { name: 'api', server, port, drainMs })
}
