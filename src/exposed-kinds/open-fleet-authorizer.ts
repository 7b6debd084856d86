import type { Authorizer } from '../access/authorizer.ts'
import { isInScope } from '../access/tenant.ts'
import type { PlaneAuthorizer } from '../planes/model/access.ts'
import type { Database } from '../store/database/database.ts'
import type { Registry } from '../store/registry/registry.ts'
import { findName } from '../store/resources/find-name.ts'
import { createFleetAuthorizer } from './access/fleet-authorizer.ts'

interface Parts {
  readonly database: Database
  readonly registry: Registry
  /** Decides by the roles of root planes. */
  readonly root: PlaneAuthorizer
}

/** Decides about requests to the HyperFleet API by roles. */
export function openFleetAuthorizer({ database, registry, root }: Parts): Authorizer {
  return createFleetAuthorizer({
    root,
    plurals: () => registry.kinds.map(({ plural }) => plural),
    nameOf: async (plural, id, tenant) => {
      const found = await findName(database, id)
      if (found === null || !isInScope(tenant, found.tenant)) return null
      return registry.find(found.kind)?.plural === plural ? found.name : null
    },
  })
}
