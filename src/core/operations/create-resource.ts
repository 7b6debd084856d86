import { FlotillaError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { unreachable } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json.ts'
import { NO_OWNER, type Resource } from '../model/resource.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import { initialConditions } from '../status/initial-conditions.ts'
import { insertResource } from '../storage/insert-resource.ts'
import { isStorableText } from '../storage/resource-key.ts'
import type { Context } from './context.ts'
import { parentNotFound } from './parent-not-found.ts'

export interface Creation {
  readonly kind: RegisteredKind
  /** Id of the parent that the path names; null for a root kind. */
  readonly ownerId: string | null
  readonly name: string
  readonly spec: JsonObject
  readonly labels: Readonly<Record<string, string>>
  /** The caller's identity. */
  readonly actor: string
}

/** Declares a resource: NTF-001 where the parent is not there, CNF-001 where the name is taken. */
export async function createResource(context: Context, creation: Creation): Promise<Resource> {
  const resource = newResource(context.clock(), creation)
  const parentKind = creation.kind.parent?.kind ?? null
  if (!isStorableText(resource.ownerId)) throw parentNotFound(creation.kind, resource.ownerId)
  const outcome = await insertResource(context.database, resource, parentKind)
  switch (outcome) {
    case 'inserted':
      return resource
    case 'parent-missing':
      throw parentNotFound(creation.kind, resource.ownerId)
    case 'name-taken':
      throw nameTaken(resource)
    default:
      return unreachable(outcome)
  }
}

function nameTaken({ kind, name }: Resource): FlotillaError {
  return new FlotillaError('CNF-001', `This ${kind} already exists: the name '${name}' is taken`)
}

function newResource(now: Date, { kind, ownerId, name, spec, labels, actor }: Creation): Resource {
  return {
    id: newId(now),
    kind: kind.kind,
    name,
    ownerId: ownerId ?? NO_OWNER,
    generation: 1,
    version: 1n,
    spec,
    labels,
    conditions: initialConditions(now),
    createdTime: now,
    updatedTime: now,
    createdBy: actor,
    updatedBy: actor,
  }
}
