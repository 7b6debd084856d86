import type { Logger } from 'pino'
import type { Config } from './settings.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { Database } from '../store/database/database.ts'
import type { Metrics } from '../http/observability/metrics.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import { inRootSpan } from '../lib/tracing/request-context.ts'
import type { Tracer } from '../lib/tracing/span.ts'
import type { ControllerMetrics } from '../planes/controllers/runtime/controller-metrics.ts'
import { apiServerOf } from './api-server.ts'
import { removePlanes } from '../exposed-kinds/remove-planes.ts'
import { runControllers } from './run-controllers.ts'
import { runLocalSandboxd } from './run-local-sandboxd.ts'
import { sandboxControllers } from './sandbox-controllers.ts'
import { sandboxRecords } from '../sandboxes/sandbox-records.ts'
import type { Planes } from './start-planes.ts'

interface Options {
  readonly config: Config
  readonly log: Logger
  readonly lifecycle: Lifecycle
  readonly metrics: Metrics
  readonly tracer: Tracer | null
  readonly database: Database
  readonly feed: Feed
  readonly planes: Planes
  /** The port of the API; 0 if this process does not serve it. */
  readonly port: number
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/** Starts the runtime of sandboxes on this machine, the controllers, and the removal of planes. */
export function startBackground(options: Options): void {
  const { config, log, lifecycle, metrics, tracer, database, feed, planes, port, signal } = options
  const apiServer = () => apiServerOf(config, port)
  if (config.sandboxRuntime === 'local') {
    const sandboxd = runLocalSandboxd({ config, planes, log, apiServer, signal })
    lifecycle.onClose('sandboxd', () => sandboxd[Symbol.asyncDispose]())
  }
  const controllers = runControllers(planes, {
    database,
    log,
    metrics: {
      ...metrics.controllers(),
      ...(tracer && { traced: tracedReconciliations(tracer) }),
    },
    more: [
      sandboxControllers({
        config,
        records: sandboxRecords(database),
        metrics: metrics.sandboxes(),
        apiTokens: planes.sandboxTokens,
        apiServer,
      }),
    ],
  })
  lifecycle.onClose('controllers', () => controllers[Symbol.asyncDispose]())
  const removal = removePlanes({ database, feed, store: planes.store, log })
  lifecycle.onClose('removal of planes', () => removal[Symbol.asyncDispose]())
}

/** Each reconciliation begins a trace. */
function tracedReconciliations(tracer: Tracer): NonNullable<ControllerMetrics['traced']> {
  return (controller, work) => {
    const options = { kind: 'consumer', attributes: { 'flotilla.controller': controller } } as const
    return inRootSpan(tracer, `reconcile ${controller}`, options, work)
  }
}
