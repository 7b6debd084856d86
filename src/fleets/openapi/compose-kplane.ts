import type { JsonObject } from '../../lib/json/json.ts'
import type { BaseDocument } from '../../hyperfleet/openapi/compose.ts'
import { kplanePaths } from './kplane-paths.ts'
import { kplaneSchemas } from './kplane-schemas.ts'

/** The schemas of the controller's requests, which the document leaves out. */
const INTERNAL =
  /^Fleet(Comparison|Creation|Expiry|Removal|Reset|MemberResults|Result)|^(DeleteOptions|WatchEvent)/

/** Composes the document of snapshots and fleets: the base, and the schemas of the served types. */
export function composeKplane(base: BaseDocument): JsonObject {
  const schemas = Object.entries(kplaneSchemas()).filter(([name]) => !INTERNAL.test(name))
  return {
    ...base,
    paths: { ...base.paths, ...kplanePaths() },
    components: {
      ...base.components,
      schemas: { ...base.components.schemas, ...Object.fromEntries(schemas) },
    },
  }
}
