import { newId } from '../../../lib/ids.ts'
import type { Caller } from '../../../access/principal.ts'
import { FIRST_VERSION, NO_OWNER, type Resource } from '../../model/resource.ts'
import type { Desired } from '../../model/resource-fields.ts'
import type { RegisteredKind } from '../../registry/kind.ts'

/** The declared fields of a new resource, with its place and its creator. */
export interface Creation extends Desired {
  readonly tenant: string
  readonly kind: RegisteredKind
  /** The parent's ID from the path; null for a root kind. */
  readonly ownerId: string | null
  readonly name: string
  /** The adapters that the resource requires; those of its kind if absent. */
  readonly requiredAdapters?: readonly string[] | null
  readonly caller: Pick<Caller, 'user'>
}

/** The resource that a creation stores, with a new ID and its first conditions. */
export function newResource(now: Date, creation: Creation): Resource {
  const { kind, ownerId, caller, requiredAdapters = null, ...declared } = creation
  return {
    ...declared,
    id: newId(now),
    kind: kind.kind,
    ownerId: ownerId ?? NO_OWNER,
    generation: 1,
    version: FIRST_VERSION,
    conditions: firstConditions(kind, requiredAdapters, now),
    requiredAdapters,
    createdTime: now,
    updatedTime: now,
    createdBy: caller.user,
    updatedBy: caller.user,
    deletedTime: null,
    deletedBy: null,
  }
}

/** The conditions of a resource that has no reports yet. */
export function firstConditions(
  { statusHooks }: RegisteredKind,
  requiredAdapters: Resource['requiredAdapters'],
  now: Date,
): Resource['conditions'] {
  return statusHooks?.conditionsAfter({ type: 'create', requiredAdapters }, now) ?? []
}
