import { createFleetAuthorizer } from '../exposed-kinds/access/fleet-authorizer.ts'
import type { Config } from './settings.ts'
import { type Authorizer, tenancyAuthorizer } from '../access/authorizer.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { Database } from '../store/database/database.ts'
import { findName } from '../store/resources/find-name.ts'
import type { Planes } from './start-planes.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly registry: Registry
  readonly planes: Pick<Planes, 'authorizer'>
}

/** Decides about requests to the HyperFleet API as the setting AUTHORIZATION demands. */
export function fleetAuthorizer({ config, database, registry, planes }: Parts): Authorizer {
  if (config.authorization === 'none') return tenancyAuthorizer
  return createFleetAuthorizer({
    root: planes.authorizer,
    plurals: () => registry.kinds.map(({ plural }) => plural),
    nameOf: async (plural, id) => {
      const found = await findName(database, id)
      if (found === null) return null
      return registry.find(found.kind)?.plural === plural ? found.name : null
    },
  })
}
