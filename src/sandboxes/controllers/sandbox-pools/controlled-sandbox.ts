import { isJsonObject, type JsonObject } from 'flotilla'
import type { ApiObject, OwnerReference } from 'flotilla/planes'
import { OWNER_API_VERSION } from './pool-resources.ts'

/** The reference of a sandbox to the pool or claim that controls it. */
export function ownerReference(kind: string, { metadata }: ApiObject): OwnerReference {
  const { name = '', uid = '' } = metadata
  const flags = { controller: true, blockOwnerDeletion: true }
  return { apiVersion: OWNER_API_VERSION, kind, name, uid, ...flags }
}

/** The owner that controls an object; null without one. */
export function controllerOf({ metadata }: ApiObject): OwnerReference | null {
  return metadata.ownerReferences?.find(({ controller }) => controller === true) ?? null
}

/** A condition of a sandbox; null if it is absent. */
export function sandboxCondition({ status }: ApiObject, type: string): JsonObject | null {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  if (!Array.isArray(conditions)) return null
  return conditions.filter(isJsonObject).find((each) => each['type'] === type) ?? null
}

export function isReady(sandbox: ApiObject): boolean {
  return sandboxCondition(sandbox, 'Ready')?.['status'] === 'True'
}

/** Milliseconds; 0 if the object has no time. */
export function createdAt({ metadata }: ApiObject): number {
  return metadata.creationTimestamp === undefined ? 0 : Date.parse(metadata.creationTimestamp)
}
