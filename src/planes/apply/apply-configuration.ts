import { allSteps } from '../../lib/async/steps.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { fieldElement, formatElement } from './fields/path-element.ts'
import { type FieldType, shapeOf } from './typed/field-type.ts'
import { mergeObjects } from './typed/merge-objects.ts'
import { typeOfObjects } from './typed/type-of-schema.ts'
import { typeProblems } from './typed/type-problems.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Schema } from '../model/schema.ts'

/**
 * Merges the result of an apply configuration into the object, as server-side apply does, but
 * without managers. Throws if it does not fit the schema or replaces an atomic value.
 */
export function applyConfiguration(
  object: ApiObject,
  configuration: JsonObject,
  schema: Schema,
): JsonValue {
  const type = typeOfObjects(schema)
  const { apiVersion, kind } = object
  const applied = { ...configuration, apiVersion, kind }
  const problems = allSteps(typeProblems(type, applied))
  if (problems.length > 0) {
    throw new Error(`failed to convert patch object to typed object: ${problems.join('; ')}`)
  }
  const atomics = atomicPaths(type, applied, '')
  if (atomics.length > 0) {
    const problem = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`
    throw new Error(`invalid ApplyConfiguration: ${problem}`)
  }
  return allSteps(mergeObjects(type, object, applied))
}

/** The paths of the values that would be replaced as a whole. */
function atomicPaths(type: FieldType, value: JsonValue, path: string): readonly string[] {
  const shape = shapeOf(type, value)
  if (shape === 'map' && type.map !== null && isJsonObject(value)) {
    const { isAtomic, declared } = type.map
    return [
      ...(isAtomic ? [path] : []),
      ...Object.entries(value).flatMap(([name, member]) => {
        const inner = declared(name)
        return inner ? atomicPaths(inner, member, path + formatElement(fieldElement(name))) : []
      }),
    ]
  }
  if (shape === 'list' && type.list !== null && isJsonArray(value)) {
    const { relation, items } = type.list
    return [
      ...(relation === 'atomic' ? [path] : []),
      ...value.flatMap((item, index) => atomicPaths(items, item, `${path}[${index}]`)),
    ]
  }
  return []
}
