import type { RequestHandler } from 'express'
import type { Context } from '../../operations/context.ts'
import type { KindRoute } from '../../registry/kind-routes.ts'
import type { Metrics } from '../plumbing/metrics.ts'

/** What the handlers of all verbs work with. */
export interface VerbContext {
  readonly operations: Context
  readonly metrics: Metrics
  readonly defaultPageSize: number
}

/** Makes the handler of one route; the request has been validated against the document. */
export type VerbHandler = (context: VerbContext, route: KindRoute) => RequestHandler
