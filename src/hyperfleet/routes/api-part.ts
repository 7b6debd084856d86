import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import type { VerbHandler } from '../verbs/handler.ts'
import type { RouteOptions } from './app-options.ts'

/** The verbs of kinds that capabilities implement. */
export type AddedVerb = 'list-changes' | 'list-history'

/** What a capability adds to the API. */
export interface ApiPart {
  /** Called again when a kind is registered. */
  readonly routes?: (options: RouteOptions) => readonly AppRoute[]
  /** Whether requests are compared with these routes before those of kinds, because they are busy. */
  readonly isBusy?: true
  /** The paths of its routes in the document, if they follow from the kinds. */
  readonly paths?: (kinds: readonly RegisteredKind[]) => JsonObject
  /** Verbs of kinds, whose requests have no body. */
  readonly verbs?: Partial<Record<AddedVerb, VerbHandler>>
}
