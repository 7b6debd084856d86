import { once } from 'node:events'
import net from 'node:net'
import { assert } from '../../src/lib/assert.ts'

/** An address that leads to one of several servers, as a virtual address or a proxy does. */
export interface SwitchProxy extends AsyncDisposable {
  readonly port: number
  /** New connections lead to this socket. Existing connections continue. */
  route(socket: string): void
  /** Closes all connections. */
  cut(): void
}

/** Starts on a free port. */
export async function startSwitchProxy(socket: string): Promise<SwitchProxy> {
  const sockets = new Set<net.Socket>()
  let target = socket
  const server = net.createServer((client) => {
    const upstream = net.connect({ path: target })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'a TCP address')
  const cut = (): void => sockets.forEach((each) => each.destroy())
  return {
    port: address.port,
    route: (next) => {
      target = next
    },
    cut,
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
