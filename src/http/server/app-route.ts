import type { Access } from '../../access/authorizer.ts'
import type { Route } from './route-table.ts'

/** A route of an API, with its authentication and access rules. */
export interface AppRoute extends Route {
  /** Whether the route needs no authentication. */
  readonly public: boolean
  /** The operation that needs authorization; null if every authenticated caller may use the route. */
  readonly access: Access | null
  /** The path parameter with the ID or name of the resource; absent for collections. */
  readonly nameParameter?: string
  /** Whether the route changes nothing with `dryRun=All`. */
  readonly hasDryRun?: boolean
}
