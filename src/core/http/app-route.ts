import type { Route } from './plumbing/route-table.ts'

/** A route of the API. */
export interface AppRoute extends Route {
  /** Answered without authentication. */
  readonly public: boolean
}
