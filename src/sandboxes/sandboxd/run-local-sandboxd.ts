import type { Logger } from 'pino'
import { systemClock } from 'flotilla'
import type { FleetClient } from 'flotilla/controllers'
import { ROOT_PLANE } from 'flotilla/planes'
import { readInstallationId } from '../controllers/snapshots/installation-id.ts'
import { registerRuntime } from '../controllers/sandboxes/runtimes/register-runtime.ts'
import type { InstallationSource } from '../drivers/protocol/installation-source.ts'
import type { SandboxConfig } from '../sandbox-settings.ts'
import { type ApiServerOf, describeRuntime } from './describe-runtime.ts'
import { readSandboxdTls } from './sandboxd-tls.ts'
import { startLocalSandboxd } from './start-local-sandboxd.ts'

interface Options {
  readonly config: SandboxConfig
  readonly fleet: FleetClient
  readonly log: Logger
  readonly installation: InstallationSource
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

async function start(options: Options): Promise<AsyncDisposable> {
  if (process.platform !== 'linux') throw new Error('the runtime of sandboxes needs Linux')
  const { config, fleet, log, apiServer } = options
  const tls = await readSandboxdTls(config)
  // Without an ID, the runtime would serve this server beside another installation.
  await readInstallationId(fleet.plane(ROOT_PLANE)).catch((error: unknown) =>
    log.warn({ err: error }, 'the ID of this installation cannot be read'),
  )
  const sandboxd = await startLocalSandboxd(options)
  const { connection, endpoint } = sandboxd
  const registration = registerRuntime({
    client: fleet.plane(ROOT_PLANE),
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
