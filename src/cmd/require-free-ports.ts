import { createServer } from 'node:net'
import type { Capability } from '../capability/capability.ts'
import type { Config } from './config.ts'
import { listen, listenFailure } from '../lib/listen.ts'
import { rowsOf } from './settings.ts'

/**
 * Rejects if the server will not be able to listen on the ports of the API. It listens on them last,
 * when it can serve requests: without this check, a start that fails would have migrated the database.
 */
export async function requireFreePorts(
  config: Config,
  capabilities: readonly Capability[],
): Promise<void> {
  if (config.role === 'controllers') return
  const values = new Map<string, unknown>(Object.entries(config))
  for (const [name, { env, opensLast }] of Object.entries(rowsOf(capabilities))) {
    const port = values.get(name)
    if (opensLast === true && typeof port === 'number') {
      await requireFreePort(env, port, config.host)
    }
  }
}

async function requireFreePort(setting: string, port: number, host: string): Promise<void> {
  const server = createServer()
  await listen(server, port, host).catch((error: unknown) => {
    throw listenFailure(error, setting)
  })
  await new Promise((resolve) => server.close(resolve))
}
