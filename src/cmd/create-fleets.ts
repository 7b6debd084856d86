import { fleetEndpoints } from '../apis/kplane/endpoints/fleet-endpoints.ts'
import { createMembers, type Members } from '../apis/kplane/members/create-members.ts'
import { kplaneResources } from '../apis/kplane/resources/kplane-resources.ts'
import type { BodyRules } from '../apis/hyperfleet/plane-resources/exposed-store.ts'
import type { NativeResource } from '../apis/kube/model/native-resource.ts'
import type { SeedContext } from '../apis/kube/seeding/seed-context.ts'
import type { Config } from '../config/settings.ts'
import type { ObjectStore } from '../core/objects/object-store.ts'
import type { Context } from '../core/operations/context.ts'
import { fleetRules, NODE_POOL_KIND } from './fleet-rules.ts'
import { PLANE_KIND, ROOT_PLANE } from './plane-directory.ts'

interface Options {
  readonly config: Config
  readonly operations: Context
  readonly rules: BodyRules
  readonly seeding: SeedContext
  /** The storage opens after the resources are declared. */
  readonly store: () => ObjectStore
}

/** The resources of fleets and the operations on their members; none without clusters. */
export function createFleets({ config, operations, rules, seeding, store }: Options): {
  readonly resources: readonly NativeResource[]
  readonly members: Members | null
} {
  const { registry } = operations
  const maxReplicas = config.fleetMaxReplicas
  const kind = registry.find(PLANE_KIND)
  const fleets = fleetRules({ registry, rules, seeding, maxReplicas })
  if (!kind || !fleets) return { resources: [], members: null }
  const members = createMembers({
    context: operations,
    store,
    seeds: seeding,
    desiredOf: rules.create,
    kind,
    nodePoolKind: registry.find(NODE_POOL_KIND) ?? null,
    rootPlane: ROOT_PLANE.plane,
    maxReplicas,
  })
  return { resources: kplaneResources(fleets, fleetEndpoints(members)), members }
}
