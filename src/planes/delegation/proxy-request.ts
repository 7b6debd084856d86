import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { errorMessage } from '../../lib/error-message.ts'
import type { Egress } from '../../http/egress/egress.ts'
import { badRequest } from '../errors/failures.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { UserInfo } from '../model/user-info.ts'
import type { Delegate, DelegateServer } from './delegate.ts'
import { forwardedHeaders, returnedHeaders } from './forwarded-headers.ts'

/** How long another server may take until its response starts. Watches last longer. */
const RESPONSE_TIMEOUT_MS = 60_000

/** A request for another server. */
export interface DelegatedRequest {
  readonly delegate: Delegate
  /** The authenticated user, after impersonation. */
  readonly user: UserInfo
  /** The path below the plane with its query, such as `/apis/metrics.k8s.io/v1/nodes?limit=5`. */
  readonly target: string
  /** Ends responses when the server shuts down. */
  readonly closing: AbortSignal
}

/**
 * Sends a request to the server of a delegate and streams the response back. Throws 503 if the
 * server is unavailable, and 502 if it redirects: a redirect could lead clients with their
 * credentials to any server.
 */
export async function proxyRequest(
  egress: Egress,
  response: ServerResponse,
  { delegate, user, target, closing }: DelegatedRequest,
): Promise<void> {
  requireFullSegments(target)
  const server = availableServer(delegate)
  const aborted = new AbortController()
  const abort = (): void => aborted.abort()
  response.once('close', abort)
  const timer = setTimeout(abort, RESPONSE_TIMEOUT_MS)
  try {
    const answer = await send(egress, response.req, {
      server,
      user,
      target: targetOn(server, target),
      signal: AbortSignal.any([aborted.signal, closing]),
    })
    clearTimeout(timer)
    rejectRedirect(answer)
    response.writeHead(answer.statusCode ?? 502, returnedHeaders(answer.headers))
    response.flushHeaders()
    // Rejects if either side breaks off. The other side is closed then, and nothing can be sent.
    await pipeline(answer, response).catch(() => undefined)
  } finally {
    clearTimeout(timer)
    response.off('close', abort)
  }
}

/** Servers differ in the resource that they read from a path with an empty segment. */
function requireFullSegments(target: string): void {
  const [path = ''] = target.split('?', 1)
  if (path.includes('//')) throw badRequest('the path has an empty segment')
}

function availableServer({ server, name, isAvailable }: Delegate): DelegateServer {
  if ('problem' in server) throw unavailable(`${name}: ${server.problem}`)
  if (!isAvailable) throw unavailable('service unavailable')
  return server
}

/**
 * The path on a server, whose own path is a prefix. The text is not normalized, so that the server
 * receives the path that was authorized.
 */
export function targetOn({ url }: DelegateServer, target: string): string {
  return url.pathname.replace(/\/$/, '') + target
}

interface Sending {
  readonly server: DelegateServer
  readonly user: UserInfo
  readonly target: string
  readonly signal: AbortSignal
}

async function send(
  egress: Egress,
  request: IncomingMessage,
  { server, user, target, signal }: Sending,
): Promise<IncomingMessage> {
  const { method = 'GET', headers } = request
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  try {
    return await egress.send({
      url: server.url,
      target,
      method,
      headers: forwardedHeaders(headers, user),
      body: hasBody ? request : null,
      ca: server.ca,
      skipVerification: server.skipVerification,
      signal,
    })
  } catch (cause) {
    throw unavailable(`error trying to reach service: ${errorMessage(cause)}`, cause)
  }
}

function rejectRedirect(answer: IncomingMessage): void {
  const { statusCode = 0 } = answer
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return
  answer.destroy()
  const message = 'the backend attempted to redirect this request, which is not permitted'
  throw new KubeError('unavailable', message, { code: 502, statusReason: 'InternalError' })
}

function unavailable(message: string, cause?: unknown): KubeError {
  return new KubeError('unavailable', message, {
    code: 503,
    statusReason: 'ServiceUnavailable',
    cause,
  })
}
