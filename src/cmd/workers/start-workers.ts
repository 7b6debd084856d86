import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { CAPABILITIES } from '../capabilities.ts'
import { createLiveSettings, type LiveSettings } from '../../capability/live-settings.ts'
import { startEmbeddedPostgres } from '../../embedded-postgres/start.ts'
import { isOpenToAll } from '../../http/auth/open-authenticator.ts'
import { createBrowserCheck } from '../../http/browsers/browser-access.ts'
import { createLifecycle, type Lifecycle } from '../../lib/async/lifecycle.ts'
import type { Config } from '../config.ts'
import { serveProbes } from '../listeners.ts'
import { requireFreePorts } from '../require-free-ports.ts'
import type { Assignment } from './assignment.ts'
import { createSupervisedProbes } from './supervised-probes.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

/** A server of several processes. Disposing it ends them. */
export interface SupervisedServer extends AsyncDisposable {
  readonly port: number
  readonly healthPort: number
  readonly metricsPort: number
  readonly settings: LiveSettings<Config>
}

interface Options extends WorkerOptions {
  /** The number of workers that serve the API. */
  readonly count: number
  /** Called if the embedded database server ends unexpectedly. */
  readonly onDatabaseExit: () => void
}

/**
 * Starts a server with workers for the API and one process for the work in the background, which
 * ROLE=api leaves to other servers. This process, the supervisor, owns the embedded database, the
 * ports of health and metrics, and the sockets of the API, whose connections workers get in turns.
 */
export async function startWorkers(config: Config, options: Options): Promise<SupervisedServer> {
  const { count, log } = options
  const lifecycle = createLifecycle((name, error) => {
    log.error({ err: error }, `closing ${name} failed`)
  })
  try {
    const settings = createLiveSettings(config)
    const workers: Worker[] = []
    const { healthPort, metricsPort } = await serveProbes({
      ...createSupervisedProbes(workers, options.signal),
      browserCheck: createBrowserCheck({
        isOpen: isOpenToAll(config),
        settings: () => settings.current,
      }),
      config,
      lifecycle,
    })
    await requireFreePorts(config, CAPABILITIES)
    const databaseUrl = await ownDatabase(config, options, lifecycle)
    const common = { healthPort, metricsPort, databaseUrl, workers: count }
    const stop = new AbortController()
    lifecycle.onClose('workers', async () => {
      stop.abort()
      await Promise.all(workers.map(({ ended }) => ended))
    })
    const signal = AbortSignal.any([options.signal, stop.signal])
    const port = await startAll(common, config, { ...options, signal, workers })
    settings.onReload((next) => () => {
      log.level = next.logLevel
      for (const worker of workers) worker.reload()
    })
    const ports = { port, health_port: healthPort, metrics_port: metricsPort }
    log.info({ host: config.host, ...ports, workers: count }, 'ready')
    const close = () => lifecycle[Symbol.asyncDispose]()
    return { port, healthPort, metricsPort, settings, [Symbol.asyncDispose]: close }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

/** Starts the embedded database if there is no URL of another one. */
async function ownDatabase(
  { databaseUrl, dataDir }: Config,
  { log, onDatabaseExit }: Options,
  lifecycle: Lifecycle,
): Promise<string | null> {
  if (databaseUrl !== null) return null
  const embedded = await startEmbeddedPostgres({ dataDir, log })
  lifecycle.onClose('embedded PostgreSQL', () => embedded.stop())
  void embedded.exited.then(onDatabaseExit)
  return embedded.url
}

type Common = Pick<Assignment, 'healthPort' | 'metricsPort' | 'databaseUrl' | 'workers'>

/**
 * Starts the processes. The first migrates the database, creates what several would create at the
 * same time, and finds the port of the API.
 */
async function startAll(
  common: Common,
  config: Config,
  { workers, ...options }: Options & { readonly workers: Worker[] },
): Promise<number> {
  const exec = fileURLToPath(new URL(SERVER, import.meta.url))
  // Metrics can be infinite, which JSON cannot express.
  cluster.setupPrimary({ exec, args: [], serialization: 'advanced' })
  process.on('exit', () => {
    for (const worker of workers) worker.kill()
  })
  const start = async (number: number, apiPort: number): Promise<number> => {
    const role = number === 0 ? 'controllers' : 'api'
    const worker = await startWorker({ ...common, number, role, apiPort }, options)
    workers.push(worker)
    return worker.port
  }
  const port = await start(1, config.port)
  const others = Array.from({ length: common.workers - 1 }, (_, index) => index + 2)
  const background = config.role === 'api' ? [] : [0]
  const started = [...background, ...others].map((number) => start(number, port))
  // All have started or ended before the failure of one closes the others.
  await Promise.allSettled(started)
  await Promise.all(started)
  return port
}

const SERVER = import.meta.url.endsWith('.ts') ? '../server.ts' : '../server.js'
