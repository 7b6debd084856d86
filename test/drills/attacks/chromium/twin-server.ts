import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../../../src/lib/listen.ts'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A server that accepts everything. It proves that an attack of a page arrives. */
export interface TwinServer extends AsyncDisposable {
  readonly origin: string
  /** Whether a request, other than a preflight, has contained this text. */
  hasReceived(mark: string): boolean
}

export async function startTwinServer(): Promise<TwinServer> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    if (headers.origin !== undefined) allowAll(response, headers.origin)
    if (method === 'OPTIONS') return void response.writeHead(204).end()
    void text(request).then((body) => {
      received.push(`${url} ${decodeURIComponent(body.replaceAll('+', ' '))}`)
      if (headers.accept?.includes('text/event-stream') === true) {
        response.setHeader('Content-Type', 'text/event-stream').write('data: twin\n\n')
        return
      }
      response
        .setHeader('Content-Type', url.includes('image') ? 'image/gif' : 'text/html')
        .end(PIXEL)
    })
  })
  server.on('upgrade', ({ url = '', headers }, socket) => {
    received.push(url)
    socket.resume()
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`)
    socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    )
  })
  return {
    origin: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`,
    hasReceived: (mark) => received.some((request) => request.includes(mark)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function allowAll(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type')
}
