import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Authenticator } from '../../http/auth/authenticator.ts'
import type { BaseDocument, DocumentPart } from '../openapi/compose.ts'
import type { UnknownParameters } from '../query/unknown-parameters.ts'
import type { ProbePorts } from '../../capability/api.ts'
import type { Admission } from '../../http/fairness/admission.ts'
import type { RateLimits } from '../../http/auth/rate-limits.ts'
import type { BrowserCheck } from '../../http/browsers/browser-access.ts'
import type { ActAs } from '../../http/auth/impersonate.ts'
import type { Gateway } from '../../http/auth/gateway.ts'
import type { Proof } from '../../http/validation/openapi-proof.ts'
import type { RequestScope } from '../../http/observability/request-scope.ts'
import type { ApiPart } from './api-part.ts'
import type { RouteOptions } from './route-options.ts'

/** The dependencies of the API. */
export interface AppOptions extends Omit<
  RouteOptions,
  'document' | 'compiler' | 'validation' | 'verbs'
> {
  /**
   * Other APIs on the same port. They authenticate requests and pass on unknown paths. A handler of
   * errors receives those of the stages before it.
   */
  readonly mounts: readonly (RequestHandler | ErrorRequestHandler)[]
  /** The additions of the capabilities. */
  readonly parts: readonly ApiPart[]
  readonly verbs: Omit<RouteOptions['verbs'], 'authorizer' | 'send' | 'watching'>
  readonly authenticator: Authenticator
  readonly gateway: Gateway
  readonly rateLimits: RateLimits
  readonly admission: Admission
  /** Lets callers act as other users. */
  readonly actAs: ActAs
  /** Records requests; null if the server has no audit log. */
  readonly audit: RequestHandler | null
  readonly log: Logger
  readonly scope: RequestScope
  /** The OpenAPI document without the kinds. */
  readonly base: BaseDocument
  /** The additions of the capabilities to the document. */
  readonly documentParts: readonly DocumentPart[]
  /** Composes the document of fleets, which is public like that of the API; null without fleets. */
  readonly fleetDocument: (() => JsonObject) | null
  /** Rejects requests of pages that may not send them. */
  readonly browserCheck: BrowserCheck
  /** Read for each request. */
  readonly corsOrigins: () => readonly string[]
  /** The targets of the index's links. */
  readonly probes: ProbePorts
  readonly unknownParameters: UnknownParameters
  /** Validates requests a second time, and responses; null if the server does not verify itself. */
  readonly createProof: ((document: JsonObject) => Proof) | null
}
