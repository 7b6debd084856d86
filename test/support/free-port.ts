import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { listen } from '../../src/lib/listen.ts'

/** Below the ports that systems assign to connections and to programs that ask for any port. */
const MIN_PORT = 10_000
const MAX_PORT = 32_000

const chosen = new Set<number>()

/**
 * A port of this machine that no process uses, for programs that cannot choose one themselves.
 * Other tests do not take it before the program starts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT)
    if (!chosen.has(port) && (await isFree(port))) {
      chosen.add(port)
      return port
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await listen(server, port, '127.0.0.1')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
