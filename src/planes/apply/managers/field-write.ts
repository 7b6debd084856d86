import { type ResourceType, apiVersionOf } from '../../model/resource-type.ts'
import type { FieldType } from '../typed/field-type.ts'
import { typeOfObjects } from '../typed/type-of-schema.ts'

/** A write whose fields are tracked. */
export interface FieldWrite {
  /** Name of the manager; `unknown` if it is empty. */
  readonly manager: string
  readonly type: Pick<ResourceType, 'group' | 'kind' | 'versions'>
  /** The version of the written object. */
  readonly version: string
  /** Empty for the resource itself. */
  readonly subresource: string
  readonly now: Date
}

/** RFC 3339, in seconds. */
export function timeOf({ now }: FieldWrite): string {
  return `${now.toISOString().slice(0, 19)}Z`
}

/** The API version of the written object. */
export function writtenVersion({ type, version }: FieldWrite): string {
  return apiVersionOf(type.group, version)
}

/**
 * The type of the objects in an API version; null if the resource has no such version. Field names
 * of other versions are compared without conversion of the object.
 */
export function typeInVersion({ type }: FieldWrite, apiVersion: string): FieldType | null {
  const found = type.versions.find(({ name }) => apiVersionOf(type.group, name) === apiVersion)
  return found === undefined ? null : typeOfObjects(found.schema)
}

/** Which members of an object the write tracks. */
export type TrackedPart = 'all' | 'all-but-status' | 'status'

/** A write to `status` owns only status; a write to the resource itself never owns it. */
export function trackedPart({ type, version, subresource }: FieldWrite): TrackedPart {
  if (subresource === 'status') return 'status'
  const hasStatus = type.versions.find(({ name }) => name === version)?.hasStatus ?? false
  return hasStatus && subresource === '' ? 'all-but-status' : 'all'
}
