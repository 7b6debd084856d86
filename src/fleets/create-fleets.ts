import { fleetEndpoints } from './endpoints/fleet-endpoints.ts'
import { createMembers, type Members } from './members/create-members.ts'
import { kplaneResources } from './resources/kplane-resources.ts'
import type { BodyRules } from '../exposed-kinds/exposed-store.ts'
import type { NativeResource } from '../planes/model/native-resource.ts'
import type { SeedContext } from '../planes/seeding/seed-context.ts'
import type { ObjectStore } from '../store/objects/object-store.ts'
import type { Context } from '../store/operations/context.ts'
import { fleetRules, NODE_POOL_KIND } from './fleet-rules.ts'
import { PLANE_KIND } from '../exposed-kinds/plane-directory.ts'
import type { ResourceRoots } from '../exposed-kinds/resource-roots.ts'

interface Options {
  readonly maxReplicas: number
  readonly operations: Context
  readonly rules: BodyRules
  readonly roots: Pick<ResourceRoots, 'isRoot' | 'tenantOf'>
  readonly seeding: SeedContext
  /** The storage opens after the resources are declared. */
  readonly store: () => ObjectStore
}

/** The resources of fleets and the operations on their members; none without clusters. */
export function createFleets(options: Options): {
  readonly resources: readonly NativeResource[]
  readonly members: Members | null
} {
  const { maxReplicas, operations, roots, rules, seeding, store } = options
  const { registry } = operations
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
    tenantOf: roots.tenantOf,
    maxReplicas,
  })
  return { resources: kplaneResources(fleets, roots.isRoot, fleetEndpoints(members)), members }
}
