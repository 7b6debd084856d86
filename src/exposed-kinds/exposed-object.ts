import type { ResourceCondition } from '../store/model/condition.ts'
import type { ReadResource } from '../store/model/resource.ts'
import type { StoredObject } from '../store/objects/model/stored-object.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { JsonObject } from '../lib/json/json.ts'
import {
  type ConditionFamily,
  conditionsOfFamily,
} from '../hyperfleet/statuses/conditions/condition-family.ts'
import { GROUP, VERSION } from './resource-type.ts'

/** Shown while a deleted resource waits for its adapters. */
export const ADAPTERS_FINALIZER = 'hyperfleet.io/adapters'

/** How resources appear as objects. */
export interface Exposure {
  readonly kind: RegisteredKind
  readonly plane: string
  /** The key of the type in storage. */
  readonly resource: string
  readonly family: ConditionFamily
}

type Exposed = Pick<
  ReadResource,
  'id' | 'name' | 'generation' | 'conditions' | 'createdTime' | 'deletedTime'
> & {
  readonly spec: string | JsonObject
  readonly labels: string | Readonly<Record<string, string>>
  readonly annotations: string | Readonly<Record<string, string>>
}

/** A resource as an object at a revision of the log. */
export function exposedObject(
  { kind, plane, resource, family }: Exposure,
  exposed: Exposed,
  revision: bigint,
): StoredObject {
  const { id: uid, name } = exposed
  const body = bodyOf(kind, exposed, family)
  return { plane, resource, namespace: '', name, uid, revision, body, managedFields: [] }
}

/** The body of the object. */
export function bodyOf(
  { kind }: RegisteredKind,
  resource: Exposed,
  family: ConditionFamily,
): JsonObject {
  const { id, name, generation, createdTime, deletedTime } = resource
  const labels = parsed(resource.labels)
  const annotations = parsed(resource.annotations)
  const conditions = conditionsOfFamily(resource.conditions, family)
  return {
    apiVersion: `${GROUP}/${VERSION}`,
    kind,
    metadata: {
      name,
      uid: id,
      generation,
      creationTimestamp: seconds(createdTime),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(deletedTime !== null && {
        deletionTimestamp: seconds(deletedTime),
        deletionGracePeriodSeconds: 0,
        finalizers: [ADAPTERS_FINALIZER],
      }),
    },
    spec: parsed(resource.spec),
    status: { conditions: conditions.map(conditionOf) },
  }
}

function conditionOf(condition: ResourceCondition): JsonObject {
  const { type, status, reason, message } = condition
  return {
    type,
    status,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    observedGeneration: condition.observed_generation,
    lastTransitionTime: condition.last_transition_time,
    lastUpdatedTime: condition.last_updated_time,
  }
}

/** Labels, annotations and specs are JSON text in reads. */
export function parsed(value: string | JsonObject): JsonObject {
  return typeof value === 'string' ? JSON.parse(value) : value
}

/** RFC 3339 in seconds, as all timestamps in metadata. */
function seconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
