import { createServer } from 'node:http'
import { listen } from '../../../../src/lib/listen.ts'

export const GROUP = 'widgets.example.com'
export const GROUP_PATH = `/apis/${GROUP}/v1`

/** A server to which a plane delegates a group. It records the requests. */
export interface DelegateServer extends AsyncDisposable {
  readonly origin: string
  /** The targets that it has received since the last call, without those of discovery. */
  takeReceived(): readonly string[]
}

/** Headers of the responses of a hostile server. */
export const HOSTILE_HEADERS = {
  'Content-Type': 'text/html',
  'Content-Security-Policy': 'default-src * data: blob:',
  'Content-Security-Policy-Report-Only': 'default-src *',
  'X-Frame-Options': 'ALLOWALL',
  'X-Content-Type-Options': 'none',
  'Set-Cookie': 'session=delegate',
  'Strict-Transport-Security': 'max-age=1',
}

export async function startDelegateServer(): Promise<DelegateServer> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    request.resume()
    if (url === GROUP_PATH) return void response.end(JSON.stringify(RESOURCES))
    if (url.startsWith('/openapi')) return void response.writeHead(404).end()
    received.push(url)
    response.writeHead(200, HOSTILE_HEADERS).end('<script>alert(1)</script>')
  })
  return {
    origin: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`,
    takeReceived: () => received.splice(0),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1`,
  resources: [
    {
      name: 'widgets',
      singularName: 'widget',
      namespaced: true,
      kind: 'Widget',
      verbs: ['get', 'list', 'create', 'delete'],
    },
  ],
}
