import type { JsonObject } from '../../../lib/json.ts'
import type { Resource } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Registry } from '../../registry/registry.ts'
import { BASE_PATH } from '../base-path.ts'

/** Where a resource of this kind is read. */
export function hrefOf(kind: RegisteredKind, id: string): string {
  return `${BASE_PATH}/${kind.plural}/${id}`
}

/** A resource as it goes over the wire. */
export function presentResource(
  registry: Registry,
  kind: RegisteredKind,
  resource: Resource,
): JsonObject {
  return {
    kind: kind.kind,
    id: resource.id,
    href: hrefOf(kind, resource.id),
    name: resource.name,
    generation: resource.generation,
    spec: resource.spec,
    labels: resource.labels,
    created_time: resource.createdTime.toISOString(),
    updated_time: resource.updatedTime.toISOString(),
    created_by: resource.createdBy,
    updated_by: resource.updatedBy,
    ...(kind.parent && {
      owner_references: ownerReference(registry.byName(kind.parent.kind), resource.ownerId),
    }),
    status: { conditions: resource.conditions.map((condition) => ({ ...condition })) },
  }
}

function ownerReference(parent: RegisteredKind, id: string): JsonObject {
  return { kind: parent.kind, id, href: hrefOf(parent, id) }
}
