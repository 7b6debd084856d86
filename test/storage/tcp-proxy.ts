import { once } from 'node:events'
import net from 'node:net'
import { assert } from '../../src/lib/assert.ts'

/** How the proxy treats connections. */
export type ProxyMode = 'pass' | 'refuse' | 'hang'

/** A proxy for a database server that a test can interrupt. */
export interface TcpProxy extends AsyncDisposable {
  /** The URL of the same database through the proxy. */
  readonly url: string
  /**
   * `refuse` closes all existing and new connections. `hang` accepts connections and forwards no
   * bytes; these connections are closed when the mode changes back to `pass`.
   */
  set(mode: ProxyMode): void
}

/** Starts a proxy on a free port in front of the server that `url` names. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const pairs = new Set<readonly [net.Socket, net.Socket]>()
  let mode: ProxyMode = 'pass'
  const server = net.createServer((client) => {
    client.on('error', () => client.destroy())
    if (mode === 'refuse') return void client.destroy()
    const pair = [client, net.connect(addressOf(url))] as const
    pairs.add(pair)
    connect(pair, () => mode === 'pass')
    client.on('close', () => pairs.delete(pair))
  })
  const cut = (): void => pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: through(url, server),
    set: (next) => {
      if (next === 'refuse' || mode === 'hang') cut()
      mode = next
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

function connect([client, upstream]: readonly [net.Socket, net.Socket], open: () => boolean): void {
  client.on('data', (bytes) => open() && upstream.write(bytes))
  upstream.on('data', (bytes) => open() && client.write(bytes))
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => open() && client.destroy())
  upstream.on('error', () => upstream.destroy())
}

/** In pg's URLs, the path of a Unix socket is the `host` parameter. */
function addressOf(url: string): net.NetConnectOpts {
  const { hostname, port, searchParams } = new URL(url)
  const directory = searchParams.get('host')
  const number = port === '' ? 5432 : Number(port)
  return directory === null
    ? { host: hostname, port: number }
    : { path: `${directory}/.s.PGSQL.${searchParams.get('port') ?? number}` }
}

function through(url: string, server: net.Server): string {
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'a TCP address')
  const proxied = new URL(url)
  proxied.searchParams.delete('host')
  proxied.searchParams.delete('port')
  proxied.hostname = '127.0.0.1'
  proxied.port = String(address.port)
  return proxied.href
}
