import type { Context } from '../../../store/operations/context.ts'
import type { Desired } from '../../../store/model/resource-fields.ts'
import type { ObjectStore } from '../../../store/objects/object-store.ts'
import type { RegisteredKind } from '../../../store/registry/kind.ts'
import type { BoundedMap } from '../../../lib/bounded-map.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { GroupSelection } from '../../../store/members/member-group.ts'
import { FLEET_LABEL } from '../../types/kplane-group.ts'
import type { Fleet } from '../../model/fleet.ts'
import type { MemberSeeds } from './member-seeds.ts'

/** The annotation of claimed clusters with the holder of the claim. */
export const CLAIMED_BY = 'kplane.dev/claimed-by'
/** The annotation of clusters that a smaller fleet gives up first. */
export const REMOVE_FIRST = 'kplane.dev/remove-first'
/** The user of the controller's writes. */
export const CONTROLLER = 'system:fleet-controller'

/** A parsed Fleet, read at this revision of its object or later. */
export interface CachedFleet {
  readonly revision: bigint
  readonly fleet: Promise<Fleet>
}

/** The dependencies of operations on members. */
export interface MemberParts {
  readonly context: Context
  /** Called for each operation, because resources are declared before their storage opens. */
  readonly store: () => Pick<
    ObjectStore,
    'read' | 'revisionOf' | 'seedPlanes' | 'resetPlanes' | 'notifyWrite'
  >
  /** The compiled objects of members' planes. */
  readonly seeds: MemberSeeds
  /** The rules of request bodies of the HyperFleet API. Throws `invalid`. */
  readonly desiredOf: (kind: RegisteredKind, body: JsonObject) => Desired
  /** The kind of members, whose resources have planes. */
  readonly kind: RegisteredKind
  /** The kind of their node pools; null if the program has none. */
  readonly nodePoolKind: RegisteredKind | null
  /** The root plane with the objects of the fleets. */
  readonly rootPlane: string
  /** The tenant of the root plane and of its members, or NO_TENANT. */
  readonly tenant: string
  readonly maxReplicas: number
  /** Parsed Fleets by root plane and name. A copy is used only if its revision is current. */
  readonly fleets: BoundedMap<CachedFleet>
}

/** The members of a fleet in storage. */
export function groupOf(parts: MemberParts, { uid, name }: Fleet): GroupSelection {
  return { uid, tenant: parts.tenant, name, kind: parts.kind.kind, label: FLEET_LABEL }
}
