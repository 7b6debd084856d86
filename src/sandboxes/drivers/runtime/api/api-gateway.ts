import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { errorMessage, type Log } from 'flotilla'
import { API } from '../network/router-addresses.ts'
import type { SandboxNetworks } from '../network/sandbox-networks.ts'
import { createApiServers, type ApiServers } from './api-servers.ts'
import { forwardRequest } from './forward-request.ts'

/** A certificate for the name and the address of the API in sandboxes. */
export interface ApiIdentity {
  /** In PEM, as `key`. */
  readonly certificate: string
  readonly key: string
}

/** The API as sandboxes reach it. */
export interface ApiGateway extends AsyncDisposable, Pick<ApiServers, 'heard'> {
  /** Why sandboxes cannot have access to the API; empty if they can. */
  readonly problem: string
  /** The certificate that sandboxes trust. */
  readonly certificate: string
}

interface Options {
  readonly networks: Pick<SandboxNetworks, 'apiPlaneOf' | 'listen' | 'modes' | 'problem'>
  readonly identity: () => Promise<ApiIdentity>
  readonly log: Log
}

/**
 * Serves the API inside the router. Each request goes to the plane of the sandbox that has the address
 * of the connection, which sandboxes cannot choose.
 */
export async function openApiGateway({ networks, identity, log }: Options): Promise<ApiGateway> {
  if (networks.modes.length === 0) return withoutGateway(networks.problem)
  try {
    const { certificate, key } = await identity()
    const listener = await networks.listen()
    const servers = createApiServers(() => performance.now())
    const server = createServer({ cert: certificate, key }, (request, response) => {
      if (isPipelined(response)) return void request.socket.destroy()
      const sandbox = request.socket.remoteAddress ?? ''
      const plane = networks.apiPlaneOf(sandbox)
      if (plane === null) return void request.destroy()
      // Either side has closed its connection early.
      forwardRequest(request, response, { servers, plane, sandbox }).catch(() => response.destroy())
    })
    // Node limits the time of requests, and can close connections, only if the server itself listens.
    await once(server.listen(listener), 'listening')
    return {
      problem: '',
      certificate,
      heard: servers.heard,
      [Symbol.asyncDispose]: () => {
        server.close()
        server.closeAllConnections()
        return Promise.resolve()
      },
    }
  } catch (error) {
    const problem = `it cannot listen on ${API.host}:${API.port}: ${errorMessage(error)}`
    log.warn({ problem }, 'sandboxes cannot use the API')
    return withoutGateway(problem)
  }
}

/**
 * Whether an earlier request of its connection has no answer yet. Node reads any number of them, so
 * that one connection could use all connections of the runtime. Clients of Kubernetes send none.
 */
function isPipelined({ socket }: ServerResponse): boolean {
  return socket === null
}

function withoutGateway(problem: string): ApiGateway {
  return {
    problem,
    certificate: '',
    heard: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
