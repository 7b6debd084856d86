import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Authenticator } from '../../http/auth/authenticator.ts'
import type { BaseDocument } from '../openapi/compose.ts'
import type { UnknownParameters } from '../query/unknown-parameters.ts'
import type { ProbePorts } from '../service/index-links.ts'
import type { RateLimits } from '../../http/auth/rate-limits.ts'
import type { BrowserCheck } from '../../http/browsers/browser-access.ts'
import type { ActAs } from '../../http/auth/impersonate.ts'
import type { Gateway } from '../../http/auth/gateway.ts'
import type { Proof } from '../../http/validation/openapi-proof.ts'
import type { RequestValidation } from '../../http/validation/request-validation.ts'
import type { SchemaCompiler } from '../../http/validation/schema-compiler.ts'
import type { RequestScope } from '../../http/observability/request-scope.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import type { VerbContext, VerbHandler } from '../verbs/handler.ts'
import type { ApiPart } from './api-part.ts'

/** The dependencies of the API. */
export interface AppOptions {
  /**
   * Other APIs on the same port. They authenticate requests and pass on unknown paths. A handler of
   * errors receives those of the stages before it.
   */
  readonly mounts: readonly (RequestHandler | ErrorRequestHandler)[]
  /** The additions of the capabilities. */
  readonly parts: readonly ApiPart[]
  readonly verbs: Pick<
    VerbContext,
    'operations' | 'metrics' | 'defaultPageSize' | 'wire' | 'representation'
  >
  /** The handlers of subresources, by the names that kinds use. */
  readonly subresources: Readonly<Record<string, VerbHandler>>
  readonly authenticator: Authenticator
  readonly gateway: Gateway
  readonly rateLimits: RateLimits
  /** Lets callers act as other users. */
  readonly actAs: ActAs
  readonly authorizer: Authorizer
  /** The open watches. The caller closes them. */
  readonly streams: WatchStreams
  /** Records requests; null if the server has no audit log. */
  readonly audit: RequestHandler | null
  readonly log: Logger
  readonly scope: RequestScope
  readonly clock: Clock
  /** The OpenAPI document without the kinds. */
  readonly base: BaseDocument
  /** Composes the document of fleets, which is public like that of the API. */
  readonly fleetDocument: () => JsonObject
  /** Rejects requests of pages that may not send them. */
  readonly browserCheck: BrowserCheck
  /** Read for each request. */
  readonly corsOrigins: () => readonly string[]
  /** The targets of the index's links. */
  readonly probes: ProbePorts
  readonly unknownParameters: UnknownParameters
  /** Largest request body in bytes. */
  readonly bodyLimit: number
  /** Largest body of a bulk request in bytes. */
  readonly bulkBodyLimit: number
  /** Validates requests a second time, and responses; null if the server does not verify itself. */
  readonly createProof: ((document: JsonObject) => Proof) | null
}

/** The dependencies of the routes. */
export interface RouteOptions extends Omit<AppOptions, 'verbs'> {
  /** The composed OpenAPI document. */
  readonly document: JsonObject
  readonly compiler: SchemaCompiler
  readonly validation: RequestValidation
  readonly verbs: AppOptions['verbs'] & Pick<VerbContext, 'authorizer' | 'send' | 'watching'>
}
