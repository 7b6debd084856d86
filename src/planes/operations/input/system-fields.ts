import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject, ObjectMeta } from '../../model/api-object.ts'
import type { ResourceType, ResourceVersion } from '../../model/resource-type.ts'

/** Members of the metadata that only the server sets. */
const SYSTEM_FIELDS = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'selfLink',
  'resourceVersion',
] as const

/** RFC 3339 in seconds, as every timestamp of the metadata. */
export function timestamp(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`
}

/** The metadata of input without the fields that only the server sets. */
export function withoutSystemFields(metadata: ObjectMeta): ObjectMeta {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !isSystemField(name)))
}

/** The object with the system fields of its stored state. */
export function withSystemFieldsOf(object: ApiObject, old: ApiObject): ApiObject {
  const kept = Object.fromEntries(
    Object.entries(old.metadata).filter(([name]) => isSystemField(name)),
  )
  return { ...object, metadata: { ...withoutSystemFields(object.metadata), ...kept } }
}

function isSystemField(name: string): boolean {
  return SYSTEM_FIELDS.some((field) => field === name)
}

/** Whether objects of the type have a generation: those with a spec, and custom ones. */
export function hasGeneration(type: ResourceType, { schema }: ResourceVersion): boolean {
  return type.hasGeneration ?? (type.isCustom || schema.properties?.['spec'] !== undefined)
}

/** The desired state: a change of it raises the generation. */
export function desiredState(object: ApiObject, { hasStatus }: ResourceVersion): JsonObject {
  const { metadata: _metadata, status, ...rest } = object
  return hasStatus || status === undefined ? rest : { ...rest, status }
}
