import type { Authorizer } from '../../access/authorizer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { RequestValidation } from '../../http/validation/request-validation.ts'
import type { SchemaCompiler } from '../../http/validation/schema-compiler.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import type { IndexedField } from '../../store/indexes/indexed-field.ts'
import type { VerbContext, VerbHandler } from '../verbs/handler.ts'

/** The dependencies of the routes. */
export interface RouteOptions {
  readonly verbs: Pick<
    VerbContext,
    | 'operations'
    | 'metrics'
    | 'onReport'
    | 'defaultPageSize'
    | 'wire'
    | 'representation'
    | 'authorizer'
    | 'send'
    | 'watching'
  >
  /** The handlers of subresources, by the names that kinds use. */
  readonly subresources: Readonly<Record<string, VerbHandler>>
  readonly authorizer: Authorizer
  /** The open watches. The caller closes them. */
  readonly streams: WatchStreams
  readonly clock: Clock
  /** Largest request body in bytes. */
  readonly bodyLimit: number
  /** Largest body of a bulk request in bytes. */
  readonly bulkBodyLimit: number
  /** The fields of specs that searches find through indexes. */
  readonly indexedFields: readonly IndexedField[]
  /** The composed OpenAPI document. */
  readonly document: JsonObject
  readonly compiler: SchemaCompiler
  readonly validation: RequestValidation
}
