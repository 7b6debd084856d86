import type { RequestHandler } from 'express'
import type { Context } from '../../operations/context.ts'
import type { KindRoute } from '../../registry/kind-routes.ts'
import type { Metrics } from '../plumbing/metrics.ts'
import type { SendJsonBody } from '../plumbing/send-json-body.ts'
import type { Presentation } from '../present/resource.ts'
import type { Watching } from '../watch/watching.ts'
import type { DesiredRules } from '../validation/desired-rules.ts'

/** What the handlers of all verbs work with. */
export interface VerbContext {
  readonly operations: Context
  readonly metrics: Metrics
  readonly defaultPageSize: number
  readonly presentation: Presentation
  readonly send: SendJsonBody
  readonly watching: Watching
  /** Largest request body in bytes. */
  readonly bodyLimit: number
  readonly requireDesired: DesiredRules
}

/** What handlers that only read work with. */
export type ReadContext = Pick<
  VerbContext,
  'operations' | 'presentation' | 'send' | 'watching' | 'defaultPageSize'
>

/** Makes the handler of one route; the request has been validated against the document. */
export type VerbHandler = (context: VerbContext, route: KindRoute) => RequestHandler
