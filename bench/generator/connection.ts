import net from 'node:net'
import { createResponseParser, type ParsedResponse } from './response-parser.ts'

/** A persistent connection with at most one request in flight. */
export interface Connection {
  send(request: string): void
  close(): void
}

interface Events {
  readonly onResponse: (response: ParsedResponse) => void
  /** The connection failed, or received bytes that are not an HTTP response. */
  readonly onFailure: (error: Error) => void
}

const BUFFER_BYTES = 64 * 1024

/** Connects to `http://host:port`. */
export function openConnection(origin: string, events: Events): Promise<Connection> {
  const { hostname, port } = new URL(origin)
  let closing = false
  const parser = createResponseParser(events.onResponse)
  const feed = (size: number, buffer: Uint8Array): boolean => {
    try {
      parser.feed(Buffer.from(buffer.buffer, buffer.byteOffset, size))
    } catch (error) {
      events.onFailure(error instanceof Error ? error : new Error(String(error)))
    }
    return true
  }
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // The parser does not keep references to its input, so one buffer per connection is enough.
      onread: { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), callback: feed },
    })
    socket.once('error', (error) => {
      reject(error)
      if (!closing) events.onFailure(error)
    })
    socket.once('close', () => {
      if (!closing) events.onFailure(new Error('the server closed the connection'))
    })
    socket.once('connect', () =>
      resolve({
        send: (request) => void socket.write(request, 'latin1'),
        close: () => {
          closing = true
          socket.destroy()
        },
      }),
    )
  })
}
