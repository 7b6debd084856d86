import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Continues to accept connections and requests for `delayMs`, but responds with `Connection: close`,
 * so that clients move their requests to new connections, which a load balancer gives to other
 * servers.
 */
export async function announceClosing(server: Server, delayMs: number): Promise<void> {
  if (delayMs === 0) return
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close')
  })
  await sleep(delayMs)
}
