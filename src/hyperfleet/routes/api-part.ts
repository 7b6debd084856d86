import type { AppRoute } from '../../http/server/app-route.ts'
import type { AddedVerb } from '../../store/registry/verb.ts'
import type { VerbHandler } from '../verbs/handler.ts'
import type { RouteOptions } from './route-options.ts'

/** The additions of a capability to the API. */
export interface ApiPart {
  /** Called again when a kind is registered. */
  readonly routes?: (options: RouteOptions) => readonly AppRoute[]
  /** Whether requests are compared with these routes before those of kinds, because they are busy. */
  readonly isBusy?: true
  /** Verbs of kinds, whose requests have no body. */
  readonly verbs?: Partial<Record<AddedVerb, VerbHandler>>
}
