import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ApiObject, ObjectMeta } from '../../model/api-object.ts'

/** The members of metadata that identify an object and its version: admission cannot change them. */
const IDENTITY = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
] as const

/** The mutated object with the identity that it had before. */
export function withIdentity(object: ApiObject, patched: JsonObject): ApiObject {
  const { metadata } = patched
  if (!isJsonObject(metadata)) throw new Error('the patch removes metadata')
  const kept = new Map(Object.entries(metadata))
  for (const field of IDENTITY) {
    const value: JsonValue | undefined = object.metadata[field]
    if (value === undefined) kept.delete(field)
    else kept.set(field, value)
  }
  const identity: ObjectMeta = Object.fromEntries(kept)
  return { ...patched, apiVersion: object.apiVersion, kind: object.kind, metadata: identity }
}
