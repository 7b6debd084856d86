import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { must, systemClock } from 'flotilla'
import { createHttpPlaneClient } from 'flotilla/controllers'
import { registerRuntime } from '../controllers/sandboxes/runtimes/register-runtime.ts'
import { readInstallationId } from '../controllers/snapshots/installation-id.ts'
import { connectRuntime } from '../drivers/protocol/connect-runtime.ts'
import { describeRuntime } from './describe-runtime.ts'
import type { SandboxdConfig } from './sandboxd-config.ts'
import { readSandboxdTls } from './sandboxd-tls.ts'
import type { Sandboxd } from './start-sandboxd.ts'

/** ID of the root plane in the database and in paths. */
const ROOT = 'root'

/** Registers this sandboxd with the `server` of SANDBOXD, and renews its lease. */
export async function registerSandboxd(
  { endpoints }: Pick<Sandboxd, 'endpoints'>,
  config: SandboxdConfig,
  log: Logger,
): Promise<AsyncDisposable | null> {
  const { sandboxdServer: server, sandboxdTokenFile: tokenFile } = config
  if (server === null) return null
  const socket = must(endpoints[0], 'the socket')
  const endpoint = config.sandboxdEndpoint ?? endpoints[1] ?? socket
  const connection = connectRuntime(socket)
  const tls = await readSandboxdTls(config)
  const client = createHttpPlaneClient(
    {
      server: server.replace(/\/$/, ''),
      userAgent: 'flotilla-sandboxd',
      ...(tokenFile !== null && { token: async () => (await readFile(tokenFile, 'utf8')).trim() }),
    },
    ROOT,
    null,
  )
  const api = { url: new URL(server).origin, certificate: '' }
  const apiServer = () => Promise.resolve(api)
  let isWarned = false
  const installationId = () =>
    readInstallationId(client).catch((error: unknown) => {
      if (!isWarned) log.warn({ err: error, server }, 'the ID of the installation cannot be read')
      isWarned = true
      return null
    })
  const registration = registerRuntime({
    client,
    describe: () => describeRuntime({ connection, endpoint, tls, apiServer, installationId }),
    clock: systemClock,
    onError: (error) => log.warn({ err: error, server }, 'the registration is not renewed'),
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      connection[Symbol.dispose]()
    },
  }
}
