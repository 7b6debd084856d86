import { isJsonObject, type JsonObject } from '../documents/json-object.ts'

const CONTENT = ['labels', 'annotations', 'references', 'spec']

/** The fields of a resource that its users write. */
export function resourceContent(resource: JsonObject): JsonObject {
  const fields = CONTENT.filter((field) => !isEmpty(resource[field]))
  return Object.fromEntries(fields.map((field) => [field, resource[field]]))
}

/** Empty labels are no labels. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)
}
