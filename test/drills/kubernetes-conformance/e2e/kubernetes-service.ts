import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent, request as send } from 'node:https'
import { listen } from '../../../../src/lib/listen.ts'

const PATH = '/api/v1/namespaces/default/services/kubernetes'
/** The suite reads the family of its address before its first spec. */
const SERVICE = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default' },
  spec: { clusterIP: '10.0.0.1' },
})

interface Target {
  /** The address of the API, over HTTPS. */
  readonly origin: string
  readonly caFile: string
}

/** A proxy in front of a server, which adds the service that every cluster of Kubernetes has. */
export async function startKubernetesService({
  origin,
  caFile,
}: Target): Promise<AsyncDisposable & { readonly origin: string }> {
  const agent = new Agent({ keepAlive: true, ca: await readFile(caFile) })
  const server = createServer((request, response) => {
    if (request.url === PATH) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(SERVICE)
    } else {
      forward(request, response, { origin, agent })
    }
  })
  const port = await listen(server, 0, '127.0.0.1')
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, agent }: { readonly origin: string; readonly agent: Agent },
): void {
  const { method, headers, url = '/' } = request
  const upstream = send(origin + url, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // The header of a watch arrives before its first event.
    response.flushHeaders()
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  upstream.on('error', () => response.destroy())
  response.once('close', () => upstream.destroy())
  request.pipe(upstream)
}
