import type { JsonObject } from '../documents/json-object.ts'

const CONTENT = ['labels', 'annotations', 'references', 'spec']

/** The fields of a resource that its users write. */
export function resourceContent(resource: JsonObject): JsonObject {
  const fields = CONTENT.filter((field) => resource[field] !== undefined)
  return Object.fromEntries(fields.map((field) => [field, resource[field]]))
}
