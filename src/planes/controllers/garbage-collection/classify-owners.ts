import type { OwnerReference } from '../../model/api-object.ts'
import type { ServedResource } from '../client/plane-client.ts'
import { groupOf } from '../client/resource-names.ts'
import { isDeletingDependents } from './owner-references.ts'
import { readObject, type LiveObject } from './plane-objects.ts'

/** The owners of an object by their state. */
export interface ClassifiedOwners {
  readonly solid: readonly OwnerReference[]
  readonly absent: readonly OwnerReference[]
  /** Owners that are deleted after their dependents. */
  readonly waiting: readonly OwnerReference[]
  /** Owners whose state cannot be determined: the object must not be deleted. */
  readonly unresolved: readonly OwnerReference[]
}

type OwnerState = keyof ClassifiedOwners

/** Reads the owners of an object. Only a read that finds no object with the uid shows absence. */
export async function classifyOwners(
  dependent: Pick<LiveObject, 'client' | 'key'>,
  references: readonly OwnerReference[],
  resources: readonly ServedResource[],
): Promise<ClassifiedOwners> {
  const owners: Record<OwnerState, OwnerReference[]> = {
    solid: [],
    absent: [],
    waiting: [],
    unresolved: [],
  }
  for (const reference of references) {
    const owner = findOwner(dependent.key.namespace, reference, resources)
    owners[await stateOf(dependent, reference, owner)].push(reference)
  }
  return owners
}

/** The resource and namespace at which an owner must exist. */
export interface OwnerPlace {
  readonly resource: ServedResource
  readonly namespace: string
}

/**
 * Owners with a namespace are in the namespace of their dependents. Null if the plane does not
 * serve the owner's kind, or if an object without a namespace names an owner with one.
 */
export function findOwner(
  namespace: string,
  { apiVersion, kind }: OwnerReference,
  resources: readonly ServedResource[],
): OwnerPlace | null {
  const group = groupOf(apiVersion)
  const resource = resources.find((each) => each.group === group && each.kind === kind)
  if (resource === undefined || !resource.verbs.includes('get')) return null
  if (!resource.namespaced) return { resource, namespace: '' }
  return namespace === '' ? null : { resource, namespace }
}

async function stateOf(
  { client }: Pick<LiveObject, 'client'>,
  { name, uid }: OwnerReference,
  place: OwnerPlace | null,
): Promise<OwnerState> {
  if (place === null) return 'unresolved'
  const owner = await readObject(client, place.resource, { namespace: place.namespace, name })
  if (owner === null || owner.metadata.uid !== uid) return 'absent'
  return isDeletingDependents(owner) ? 'waiting' : 'solid'
}
