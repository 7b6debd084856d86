import { createServer } from 'node:http'
import { listen } from '../../src/lib/listen.ts'

/** A server that accepts every request and discards its body. */
export interface Sink extends AsyncDisposable {
  readonly url: string
  /** Requests so far. */
  count(): number
}

export async function startSink(): Promise<Sink> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1
      response.writeHead(200).end()
    })
  })
  const port = await listen(server, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
