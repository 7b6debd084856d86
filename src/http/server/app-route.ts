import type { Access } from '../../core/auth/authorizer.ts'
import type { Route } from './route-table.ts'

/** A route of an API. */
export interface AppRoute extends Route {
  /** Needs no authentication. */
  readonly public: boolean
  /** What the caller must be allowed to do; null if every authenticated caller may use the route. */
  readonly access: Access | null
}
