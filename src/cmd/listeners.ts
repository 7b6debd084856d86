import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { Api, ProbePorts } from '../capability/api.ts'
import type { Foundation } from '../capability/foundation.ts'
import type { Readiness } from '../capability/readiness.ts'
import { recordRequest } from '../http/observability/record-request.ts'
import { announceClosing } from '../http/server/announce-closing.ts'
import { drain } from '../http/server/drain.ts'
import { createHttpServer } from '../http/server/http-server.ts'
import { createHealthServer, createMetricsServer } from '../http/server/probes.ts'
import { problemOf } from '../hyperfleet/errors/problem.ts'
import { must } from '../lib/assert.ts'
import { listen, listenFailure } from '../lib/listen.ts'

const PROBE_DRAIN_MS = 1000

interface Listener {
  readonly name: string
  readonly server: Server
  /** The setting with the port. */
  readonly setting: string
  readonly port: number
  /** Time that responses in flight have to finish when it closes. */
  readonly drainMs: number
}

async function serve(
  { config, lifecycle }: Pick<Foundation, 'config' | 'lifecycle'>,
  listener: Listener,
): Promise<number> {
  const { name, server, setting, drainMs } = listener
  const port = await listen(server, listener.port, config.host).catch((error: unknown) => {
    throw listenFailure(error, setting)
  })
  lifecycle.onClose(name, () => drain(server, { timeoutMs: drainMs }))
  return port
}

/** The parts of a server that its probes show: of one process, or of several. */
interface Probed extends Pick<Foundation, 'browserCheck' | 'config' | 'lifecycle'> {
  readonly readiness: Pick<Readiness, 'checks' | 'ready'>
  readonly metrics: { readonly registry: Pick<Registry, 'contentType' | 'metrics'> }
}

/** Listens for probes and for the collector of metrics. */
export async function serveProbes(probed: Probed): Promise<ProbePorts> {
  const { browserCheck, config, metrics, readiness } = probed
  const healthPort = await serve(probed, {
    name: 'health',
    server: createHealthServer(readiness, problemOf),
    setting: 'HEALTH_PORT',
    port: config.healthPort,
    drainMs: PROBE_DRAIN_MS,
  })
  const metricsPort = await serve(probed, {
    name: 'metrics',
    server: createMetricsServer(metrics.registry, problemOf, browserCheck),
    setting: 'METRICS_PORT',
    port: config.metricsPort,
    drainMs: PROBE_DRAIN_MS,
  })
  return { host: config.host, healthPort, metricsPort }
}

/** The listeners of the API. */
export interface ApiListener {
  readonly port: number
  /** Announces to clients and load balancers that the server will close. */
  readonly announce: () => Promise<void>
}

/**
 * Listens for requests of the API, and of the servers of other shards. Responses without an end are
 * closed before the server is drained, which waits for the others.
 */
export async function serveApi(foundation: Foundation, api: Api): Promise<ApiListener> {
  const { certificate, clock, config, lifecycle, log, metrics } = foundation
  const app = must(api.app, 'an application that serves requests')
  const options: Parameters<typeof createHttpServer>[1] = {
    clock,
    renderError: problemOf,
    onRejected: (exchange) => recordRequest({ log, metrics }, exchange),
  }
  const server = createHttpServer(app, { ...options, certificate })
  const { shutdownDelayMs, shutdownTimeoutMs: drainMs } = config
  if (api.peers !== null) {
    const { port, setting, ...tls } = api.peers
    const listener = { name: 'shards', server: createHttpServer(app, { ...options, ...tls }) }
    await serve(foundation, { ...listener, port, drainMs, setting })
  }
  const listener = { name: 'api', server, port: config.port, drainMs } as const
  const port = await serve(foundation, { ...listener, setting: 'PORT' })
  for (const { name, close } of api.endless) lifecycle.onClose(name, close)
  return { port, announce: () => announceClosing(server, shutdownDelayMs) }
}
