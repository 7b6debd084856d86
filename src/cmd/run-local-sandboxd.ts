import type { Logger } from 'pino'
import { registerRuntime } from '../sandboxes/controllers/sandboxes/runtimes/register-runtime.ts'
import { systemClock } from '../lib/clock.ts'
import type { Config } from './settings.ts'
import { controllerClient } from './controller-client.ts'
import { type ApiServerOf, describeRuntime } from '../sandboxes/sandboxd/describe-runtime.ts'
import { ROOT_PLANE } from '../exposed-kinds/plane-directory.ts'
import { readSandboxdTls } from '../sandboxes/sandboxd/sandboxd-tls.ts'
import { startLocalSandboxd } from './start-local-sandboxd.ts'
import type { Planes } from './start-planes.ts'

interface Options {
  readonly config: Config
  readonly planes: Planes
  readonly log: Logger
  /** This server, which the runtime passes requests of sandboxes to. */
  readonly apiServer: ApiServerOf
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/**
 * Starts the sandboxd of this machine in the background, and registers it. Without it, the server
 * works, and sandboxes of other machines do too. Disposal stops both.
 */
export function runLocalSandboxd(options: Options): AsyncDisposable {
  const { log } = options
  const started = start(options).catch((error: unknown) => {
    log.warn(
      { err: error },
      'sandboxes cannot run on this machine (SANDBOX_RUNTIME=off stops this)',
    )
    return null
  })
  return { [Symbol.asyncDispose]: async () => (await started)?.[Symbol.asyncDispose]() }
}

async function start({
  config,
  planes,
  log,
  apiServer,
  signal,
}: Options): Promise<AsyncDisposable> {
  if (process.platform !== 'linux') throw new Error('the runtime of sandboxes needs Linux')
  const tls = await readSandboxdTls(config)
  const sandboxd = await startLocalSandboxd({ config, log, signal })
  const { connection, endpoint } = sandboxd
  const registration = registerRuntime({
    client: controllerClient(planes).plane(ROOT_PLANE.plane),
    describe: () => describeRuntime({ connection, endpoint, tls, apiServer }),
    clock: systemClock,
    onError: (error) => log.warn({ err: error }, 'the lease of sandboxd is not renewed'),
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      await sandboxd[Symbol.asyncDispose]()
    },
  }
}
