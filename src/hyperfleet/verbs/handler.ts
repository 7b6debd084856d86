import type { RequestHandler } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { StatusContext } from '../statuses/operations/status-context.ts'
import type { Representation } from '../../store/operations/read/representation.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { KindRoute } from '../../store/registry/kind-routes.ts'
import type { Metrics } from '../../http/observability/metrics.ts'
import type { SendJsonBody } from '../../http/json/send-json-body.ts'
import type { WireOptions } from '../wire/resource.ts'
import type { Watching } from '../watch/watching.ts'
import type { DesiredRules } from '../validation/desired-rules.ts'
import type { ItemRules } from '../validation/item-rules.ts'

/** A report that has been stored. */
export interface AcceptedReport {
  readonly kind: string
  /** Of the resource. */
  readonly tenant: string
  readonly adapter: string
  readonly time: Date
  /** The time since the change, if the report is the adapter's first one at its generation. */
  readonly latencyMs: number | null
}

/** The dependencies of all verbs. */
export interface VerbContext {
  readonly operations: StatusContext
  readonly authorizer: Authorizer
  readonly metrics: Metrics
  /** Must not throw. */
  readonly onReport: (report: AcceptedReport) => void
  readonly defaultPageSize: number
  readonly wire: WireOptions
  /** The form in which reads return resources. */
  readonly representation: Representation
  readonly send: SendJsonBody
  readonly watching: Watching
  /** Largest request body in bytes. */
  readonly bodyLimit: number
  readonly requireDesired: DesiredRules
  /** The rules of the items of a bulk creation. */
  readonly itemRulesOf: (kind: RegisteredKind) => ItemRules
}

/** The dependencies of verbs that only read. */
export type ReadContext = Pick<
  VerbContext,
  'operations' | 'authorizer' | 'wire' | 'representation' | 'send' | 'watching' | 'defaultPageSize'
>

/** Creates the handler of one route. Its requests have been validated against the document. */
export type VerbHandler = (context: VerbContext, route: KindRoute) => RequestHandler
