import { endsStep, type Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { canonicalText, memberOf } from './canonical-text.ts'

/** The members of an item that identify it in a list map. A missing key has its default. */
export function keysOfItem(item: JsonObject, schema: Schema): JsonObject {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const entries: [string, JsonValue][] = []
  for (const name of keys) {
    const value = memberOf(item, name) ?? defaultOf(schema, name)
    if (value !== undefined) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

/** The text that identifies an item in a list map. */
export function keyOfItem(item: JsonObject, schema: Schema): string {
  return canonicalText(keysOfItem(item, schema))
}

/** The items of a list map by their keys. The last of several items with the same keys counts. */
export function* itemsByKey(
  list: readonly JsonValue[],
  schema: Schema,
): Steps<ReadonlyMap<string, JsonObject>> {
  const items = new Map<string, JsonObject>()
  for (const item of list) {
    if (endsStep()) yield
    if (isJsonObject(item)) items.set(keyOfItem(item, schema), item)
  }
  return items
}

function defaultOf({ items }: Schema, name: string): JsonValue | undefined {
  const properties = items?.properties
  return properties && Object.hasOwn(properties, name) ? properties[name]?.default : undefined
}
