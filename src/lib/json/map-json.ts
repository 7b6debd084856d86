import type { JsonObject, JsonValue } from './json.ts'

/** Replaces items. Returns the list itself if no item changes. */
export function mapItems(
  list: readonly JsonValue[],
  replace: (item: JsonValue, index: number) => JsonValue,
): readonly JsonValue[] {
  let changed: JsonValue[] | null = null
  for (const [index, item] of list.entries()) {
    const replaced = replace(item, index)
    if (replaced === item) continue
    changed ??= [...list]
    changed[index] = replaced
  }
  return changed ?? list
}

/** Replaces members; undefined removes one. Returns the object itself if no member changes. */
export function mapMembers(
  object: JsonObject,
  replace: (name: string, member: JsonValue) => JsonValue | undefined,
): JsonObject {
  let changes: Map<string, JsonValue | undefined> | null = null
  for (const name of Object.keys(object)) {
    const member = object[name]
    if (member === undefined) continue
    const replaced = replace(name, member)
    if (replaced === member) continue
    changes ??= new Map()
    changes.set(name, replaced)
  }
  return changes === null ? object : withChanges(object, changes)
}

/** Entries define properties, so that `__proto__` is an ordinary name. */
function withChanges(
  object: JsonObject,
  changes: ReadonlyMap<string, JsonValue | undefined>,
): JsonObject {
  const entries: [string, JsonValue][] = []
  for (const [name, member] of Object.entries(object)) {
    const changed = changes.has(name) ? changes.get(name) : member
    if (changed !== undefined) entries.push([name, changed])
  }
  return Object.fromEntries(entries)
}
