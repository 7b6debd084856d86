import { createServer } from 'node:https'
import { errorMessage } from '../../../lib/error-message.ts'
import type { Log } from '../../../lib/log/log.ts'
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
  readonly networks: SandboxNetworks
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
      const sandbox = request.socket.remoteAddress ?? ''
      const plane = networks.apiPlaneOf(sandbox)
      if (plane === null) return void request.destroy()
      // Either side has closed its connection early.
      forwardRequest(request, response, { servers, plane, sandbox }).catch(() => response.destroy())
    })
    listener.on('connection', (socket) => server.emit('connection', socket))
    return {
      problem: '',
      certificate,
      heard: servers.heard,
      [Symbol.asyncDispose]: () => {
        listener.close()
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

function withoutGateway(problem: string): ApiGateway {
  return {
    problem,
    certificate: '',
    heard: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
