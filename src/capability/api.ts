import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import type { Authorizer } from '../access/authorizer.ts'
import { tenancyAuthorizer } from '../access/authorizer.ts'
import type { Authenticator } from '../http/auth/authenticator.ts'
import type { Gateway } from '../http/auth/gateway.ts'
import type { ActAs } from '../http/auth/impersonate.ts'
import type { CertificateSource } from '../http/server/tls/certificate-source.ts'
import type { WatchStreams } from '../http/streams/watch-streams.ts'
import { FlotillaError } from '../lib/errors.ts'

/** A further listener of the API, whose clients prove who they are by a certificate. */
export interface PeerListener {
  readonly port: number
  /** The setting with the port. */
  readonly setting: string
  readonly certificate: CertificateSource
  /** PEM text of the authority of the clients. */
  readonly clientAuthority: string
}

/** The ports of health and metrics, on the host of the API. */
export interface ProbePorts {
  /** Address of the listeners, for requests that do not name a host. */
  readonly host: string
  readonly healthPort: number
  readonly metricsPort: number
}

interface ApiParts {
  readonly authenticator: Authenticator
  readonly gateway: Gateway
  /** The open watches. */
  readonly streams: WatchStreams
  readonly probes: ProbePorts
}

/** Closes something by its name. */
export interface Closer {
  readonly name: string
  readonly close: () => PromiseLike<void> | void
}

/** The server of the API: capabilities set its parts until it is sealed. */
export interface Api extends ApiParts {
  /**
   * APIs on the same port, in the order of their requests. They authenticate requests and pass on
   * unknown paths. A handler of errors receives those of the stages before it.
   */
  readonly mounts: (RequestHandler | ErrorRequestHandler)[]
  /** Responses without an end. They are closed before the server is drained, which waits for others. */
  readonly endless: Closer[]
  /** Records requests; null without an audit log. */
  audit: RequestHandler | null
  actAs: ActAs
  authorizer: Authorizer
  peers: PeerListener | null
  /** The handler of all requests. */
  app: Express | null
}

/** Without planes there are no roles that let a caller act as others. */
const NOBODY: ActAs = () =>
  Promise.reject(new FlotillaError('forbidden', 'This server has no users to act as'))

/** Begins without parts. */
export function createApi(parts: ApiParts): Api {
  return {
    ...parts,
    mounts: [],
    endless: [{ name: 'watches', close: () => parts.streams[Symbol.asyncDispose]() }],
    audit: null,
    actAs: NOBODY,
    authorizer: tenancyAuthorizer,
    peers: null,
    app: null,
  }
}
