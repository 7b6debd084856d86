import { mapInTurns } from '../../lib/async/steps.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { must } from '../../lib/assert.ts'
import type { ApiObject, ManagedFieldsEntry, ObjectMeta } from '../model/api-object.ts'
import { apiVersionOf, type ResourceType, type ResourceVersion } from '../model/resource-type.ts'
import type { Target } from '../model/object-operations.ts'
import { applyReadDefaults } from '../schemas/decode-input.ts'
import type { OperationsContext } from './context.ts'

/** The object in its storage version, with its resource version and managed fields. */
export function storedObject({ body, revision, managedFields }: StoredObject): ApiObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- writes store only such objects
  const object = body as ApiObject
  const metadata: ObjectMeta = {
    ...object.metadata,
    resourceVersion: revision.toString(),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- writes store only such entries
    ...(managedFields.length > 0 && { managedFields: managedFields as ManagedFieldsEntry[] }),
  }
  return { ...object, metadata }
}

/** The part of an object that is stored as its body. */
export function bodyOf({ metadata, ...rest }: ApiObject): JsonObject {
  const { resourceVersion: _version, managedFields: _fields, ...stored } = metadata
  return { ...rest, metadata: stored }
}

/** The declaration of a served or stored version. */
export function versionOf(type: ResourceType, name: string): ResourceVersion {
  return must(
    type.versions.find((version) => version.name === name),
    `version ${name} of ${type.plural}`,
  )
}

/** Stored objects in the version of a request. */
export async function toVersion(
  { convert }: Pick<OperationsContext, 'convert'>,
  { type, version }: Pick<Target, 'type' | 'version'>,
  stored: readonly StoredObject[],
): Promise<readonly ApiObject[]> {
  // Parses their bodies.
  const objects = await mapInTurns(stored, storedObject)
  const apiVersion = apiVersionOf(type.group, version)
  const isCurrent = objects.every((object) => object.apiVersion === apiVersion)
  const converted = isCurrent ? objects : await convert(objects, { type, version })
  return mapInTurns(converted, (object) => withReadDefaults(object, { type, version }))
}

/** The object with the defaults that its definition has declared since it was stored. */
export function withReadDefaults(
  object: ApiObject,
  { type, version }: Pick<Target, 'type' | 'version'>,
): ApiObject {
  return type.isCustom ? applyReadDefaults(object, versionOf(type, version).schema) : object
}

const SOURCES = new WeakMap<ApiObject, StoredObject>()

/** One stored object in the version of a request. */
export async function oneToVersion(
  context: Pick<OperationsContext, 'convert'>,
  target: Pick<Target, 'type' | 'version'>,
  stored: StoredObject,
): Promise<ApiObject> {
  const object = must((await toVersion(context, target, [stored]))[0], 'a converted object')
  SOURCES.set(object, stored)
  return object
}

/** The stored object from which `oneToVersion` has made an object; null if it was made otherwise. */
export function sourceOf(object: ApiObject): StoredObject | null {
  return SOURCES.get(object) ?? null
}
