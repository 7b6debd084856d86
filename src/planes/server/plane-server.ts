import { randomBytes } from 'node:crypto'
import type { Database } from '../../store/database/database.ts'
import { readAllowedHosts } from '../../access/allowed-hosts.ts'
import { readPublicUrl } from '../../access/public-url.ts'
import { createBrowserCheck } from '../../http/browsers/browser-access.ts'
import { createMetrics, type Metrics } from '../../http/observability/metrics.ts'
import { drain } from '../../http/server/drain.ts'
import { createHttpServer } from '../../http/server/http-server.ts'
import { WatchStreams } from '../../http/streams/watch-streams.ts'
import { must } from '../../lib/assert.ts'
import { createLifecycle, type Lifecycle } from '../../lib/async/lifecycle.ts'
import { systemClock } from '../../lib/clock.ts'
import { listen } from '../../lib/listen.ts'
import type { Log } from '../../lib/log/log.ts'
import { startEmbeddedPostgres } from '../../embedded-postgres/start.ts'
import { createWebhookClient } from '../admission/webhook-client.ts'
import {
  type ControlPlane,
  type ControlPlaneOptions,
  createControlPlane,
  nativeTypes,
} from '../control-plane.ts'
import { createConverter } from '../definitions/converter.ts'
import { createTypeRegistry, DEFINITIONS_RESOURCE } from '../definitions/type-registry.ts'
import { createDelegation, type Delegation } from '../delegation/delegation.ts'
import { createEgress, type Egress } from '../../http/egress/egress.ts'
import { hostRules } from '../../http/egress/host-rules.ts'
import { renderStatus } from '../errors/status.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import type { TypeRegistry } from '../model/type-registry.ts'
import { openPlaneStorage, type PlaneStorage } from '../planes/plane-storage.ts'
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts'
import { buildInfo } from './build-info.ts'
import { healthChecks } from './health-checks.ts'
import { openPlaneDatabase, STATEMENT_TIMEOUT_MS } from './open-plane-database.ts'
import { createPlaneApp } from './plane-app.ts'
import {
  acceptEveryCaller,
  ALLOW_EVERYTHING,
  type PlaneServerOptions,
  ROOT_PLANE_ONLY,
} from './plane-server-options.ts'

const RETENTION_SECONDS = 3600
const CHANGES_PER_PLANE = 100_000
const CONFIGURATION_BYTES = 64 * 1024 * 1024
const BODY_LIMIT = 3 * 1024 * 1024
const MIN_WATCH_SECONDS = 1800
const MAX_SOCKETS = 64
const DRAIN_MS = 10_000

/** The options of a control plane that programs do not choose. */
const FIXED_OPTIONS = {
  clock: systemClock,
  isPublic: () => false,
  serveFurther: () => Promise.resolve(false),
  decodeProtobuf,
  bodyLimit: BODY_LIMIT,
  retentionSeconds: RETENTION_SECONDS,
  minWatchTimeoutSeconds: MIN_WATCH_SECONDS,
}

const NO_LOG: Log = { info: () => undefined, warn: () => undefined }

/** A running server. Disposing it finishes the requests in flight and closes everything. */
export interface PlaneServer extends ControlPlane, AsyncDisposable {
  readonly port: number
  /** Such as `http://127.0.0.1:8000`. */
  readonly origin: string
  readonly metrics: Metrics
}

/** Starts a Kubernetes-style control plane that serves the resources, and nothing else. */
export async function startPlaneServer(options: PlaneServerOptions): Promise<PlaneServer> {
  const { log } = options
  const lifecycle = createLifecycle((name, error) =>
    log?.error({ err: error }, `closing ${name} failed`),
  )
  try {
    return await start(options, lifecycle)
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

async function start(options: PlaneServerOptions, lifecycle: Lifecycle): Promise<PlaneServer> {
  const { log, host = '127.0.0.1', certificate } = options
  const browserSettings = {
    allowedHosts: readAllowedHosts((options.hostNames ?? []).join()),
    publicUrl: options.publicUrl === undefined ? null : readPublicUrl(options.publicUrl),
    corsOrigins: [],
  }
  const metrics = createMetrics()
  const databaseUrl = options.databaseUrl ?? (await startOwnDatabase(options, lifecycle))
  const database = await openPlaneDatabase(databaseUrl, metrics, log)
  lifecycle.onClose('database', () => database[Symbol.asyncDispose]())
  const storage = await openStorage(options, database)
  lifecycle.onClose('storage', () => storage[Symbol.asyncDispose]())
  const egress = createEgress({
    rules: hostRules('allowedHosts', options.allowedHosts ?? []),
    maxSockets: MAX_SOCKETS,
  })
  lifecycle.onClose('egress', () => egress[Symbol.dispose]())
  const delegation = createDelegation({ configurations: storage.configurations, egress })
  const streams = openStreams(metrics, log)
  const parts = { database, storage, egress, delegation, streams }
  const planeOptions = controlPlaneOptions(options, parts)
  const controlPlane = createControlPlane(planeOptions)
  const { handler } = controlPlane
  const isOpen = planeOptions.authenticate === acceptEveryCaller
  const browserCheck = createBrowserCheck({ isOpen, settings: () => browserSettings })
  const app = createPlaneApp({ handler, browserCheck, metrics, ...(log && { log }) })
  const server = createHttpServer(app, {
    renderError: renderStatus,
    certificate: certificate ?? null,
  })
  const port = await listen(server, options.port, host)
  lifecycle.onClose('server', () => drain(server, { timeoutMs: DRAIN_MS }))
  // Closed before the server is drained, which would wait for their responses.
  lifecycle.onClose('watches', () => streams[Symbol.asyncDispose]())
  lifecycle.onClose('delegation', () => delegation[Symbol.dispose]())
  return {
    ...controlPlane,
    port,
    origin: `${certificate ? 'https' : 'http'}://${host}:${port}`,
    metrics,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

async function startOwnDatabase(
  { dataDir = '.flotilla', log }: PlaneServerOptions,
  lifecycle: Lifecycle,
): Promise<string> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: log ?? NO_LOG })
  lifecycle.onClose('embedded PostgreSQL', () => embedded.stop())
  return embedded.url
}

function openStorage(options: PlaneServerOptions, database: Database): Promise<PlaneStorage> {
  const { resources, directory = ROOT_PLANE_ONLY, codecOf = () => null, log } = options
  return openPlaneStorage({
    database,
    directory,
    resources,
    codecOf,
    retentionSeconds: RETENTION_SECONDS,
    changesPerPlane: CHANGES_PER_PLANE,
    configurationBytes: CONFIGURATION_BYTES,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    onError: (error) => log?.warn({ err: error }, 'the feed of objects waits'),
  })
}

function openStreams(metrics: Metrics, log: PlaneServerOptions['log']): WatchStreams {
  return new WatchStreams({
    limit: 10_000,
    bufferBytes: 8 * 1024 * 1024,
    totalBufferBytes: 256 * 1024 * 1024,
    heartbeatSeconds: 15,
    maxAgeSeconds: 2 * MIN_WATCH_SECONDS,
    clock: systemClock,
    random: Math.random,
    metrics,
    onError: (error) => log?.error({ err: error }, 'a permission of a watch cannot be checked'),
  })
}

function typesOf(resources: readonly NativeResource[], storage: PlaneStorage): TypeRegistry {
  const natives = nativeTypes(resources)
  const hasDefinitions = resources.some(({ type }) => resourceKey(type) === DEFINITIONS_RESOURCE)
  const { configurations, store } = storage
  return hasDefinitions ? createTypeRegistry({ natives, configurations, store }) : natives
}

interface Parts {
  readonly database: Database
  readonly storage: PlaneStorage
  readonly egress: Egress
  readonly delegation: Delegation
  readonly streams: WatchStreams
}

function controlPlaneOptions(
  options: PlaneServerOptions,
  { database, storage, egress, delegation, streams }: Parts,
): ControlPlaneOptions {
  const webhooks = createWebhookClient({ egress })
  const convert = createConverter({ callWebhook: (call) => webhooks.call(call) })
  let served: TypeRegistry | null = null
  const types: TypeRegistry = {
    typesOf: (plane, needed) =>
      must(served, 'the types of a started server').typesOf(plane, needed),
  }
  const running = { database, storage, log: options.log ?? NO_LOG }
  const services = options.services?.({ ...running, types, convert, webhooks }) ?? {}
  const resources = [...options.resources, ...(services.resources ?? [])]
  served = typesOf(resources, storage)
  return {
    ...FIXED_OPTIONS,
    storage,
    streams,
    delegation,
    convert,
    resources,
    typesOf: () => types,
    directory: options.directory ?? ROOT_PLANE_ONLY,
    admission: services.admission ?? [],
    authenticate: services.authenticate ?? acceptEveryCaller,
    authorizer: services.authorizer ?? ALLOW_EVERYTHING,
    checks: [...healthChecks({ database, feed: storage.feed }), ...(options.checks ?? [])],
    tokenKey: options.tokenKey ?? randomBytes(32),
    build: buildInfo(options.name ?? 'flotilla', null),
  }
}
