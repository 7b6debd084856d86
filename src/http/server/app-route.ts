import type { Route } from './route-table.ts'

/** A route of the API. */
export interface AppRoute extends Route {
  /** Answered without authentication. */
  readonly public: boolean
  /** A write that callers may send that work for all tenants. */
  readonly forSystems?: boolean
}
