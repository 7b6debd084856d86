import type { JsonObject } from '../../lib/json/json.ts'
import { sixDigits } from '../../lib/precise-date.ts'
import { AGGREGATED_TYPES, type ResourceCondition } from '../../store/model/condition.ts'
import type { Resource } from '../../store/model/resource.ts'
import { decodeTenant, NO_TENANT } from '../../access/tenant.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import {
  type ConditionFamily,
  conditionsOfFamily,
} from '../statuses/conditions/condition-family.ts'
import { hrefOf } from './href.ts'
import { serializeReferences } from './references.ts'

/** The settings of the wire format. */
export interface WireOptions {
  readonly registry: Registry
  /** The aggregated conditions that this server returns. */
  readonly family: ConditionFamily
}

const AGGREGATED: ReadonlySet<string> = new Set(AGGREGATED_TYPES)

/** A resource in JSON. */
export function serializeResource(
  { registry, family }: WireOptions,
  kind: RegisteredKind,
  resource: Resource,
): JsonObject {
  const conditions = conditionsOfFamily(resource.conditions, family)
  return {
    kind: kind.kind,
    id: resource.id,
    href: hrefOf(kind, resource.id),
    name: resource.name,
    generation: resource.generation,
    spec: resource.spec,
    labels: resource.labels,
    ...(Object.keys(resource.annotations).length > 0 && { annotations: resource.annotations }),
    ...(resource.requiredAdapters && { required_adapters: resource.requiredAdapters }),
    ...(resource.tenant !== NO_TENANT && { tenancy: decodeTenant(resource.tenant) }),
    created_time: resource.createdTime.toISOString(),
    updated_time: resource.updatedTime.toISOString(),
    created_by: resource.createdBy,
    updated_by: resource.updatedBy,
    ...(resource.deletedTime && { deleted_time: resource.deletedTime.toISOString() }),
    ...(resource.deletedBy !== null && { deleted_by: resource.deletedBy }),
    ...(kind.parent && {
      owner_references: ownerReference(registry.byName(kind.parent.kind), resource.ownerId),
    }),
    ...(kind.references.length > 0 && {
      references: serializeReferences(registry, kind, resource.refs),
    }),
    status: { conditions: conditions.map((condition) => timed(condition)) },
  }
}

/**
 * The condition with six digits in the times of the server; older servers stored three. The last
 * transition of an adapter's condition is a time of its report, which keeps its digits.
 */
function timed(condition: ResourceCondition): JsonObject {
  return {
    ...condition,
    created_time: sixDigits(condition.created_time),
    last_updated_time: sixDigits(condition.last_updated_time),
    ...(AGGREGATED.has(condition.type) && {
      last_transition_time: sixDigits(condition.last_transition_time),
    }),
  }
}

function ownerReference(parent: RegisteredKind, id: string): JsonObject {
  return { kind: parent.kind, id, href: hrefOf(parent, id) }
}
