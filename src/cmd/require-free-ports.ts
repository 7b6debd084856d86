import { createServer } from 'node:net'
import type { Config } from './config.ts'
import { listen } from '../lib/listen.ts'
import { listenFailure, type PortSetting } from './listen-failure.ts'

/**
 * Rejects if the server will not be able to listen on the ports of the API. It listens on them last,
 * when it can serve requests: without this check, a start that fails would have migrated the database.
 */
export async function requireFreePorts({
  host,
  port,
  shardPort,
  role,
}: Pick<Config, 'host' | 'port' | 'shardPort' | 'role'>): Promise<void> {
  if (role === 'controllers') return
  await requireFreePort('PORT', port, host)
  // A server without shards has no such setting.
  if (typeof shardPort === 'number') await requireFreePort('SHARD_PORT', shardPort, host)
}

async function requireFreePort(setting: PortSetting, port: number, host: string): Promise<void> {
  const server = createServer()
  await listen(server, port, host).catch((error: unknown) => {
    throw listenFailure(error, setting)
  })
  await new Promise((resolve) => server.close(resolve))
}
