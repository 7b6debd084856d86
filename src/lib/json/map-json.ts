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
  let entries: [string, JsonValue][] | null = null
  const names = Object.keys(object)
  for (const [index, name] of names.entries()) {
    const member = object[name]
    if (member === undefined) continue
    const replaced = replace(name, member)
    if (entries === null && replaced === member) continue
    entries ??= entriesOf(object, names.slice(0, index))
    if (replaced !== undefined) entries.push([name, replaced])
  }
  // Entries define properties, so that `__proto__` is an ordinary name.
  return entries === null ? object : Object.fromEntries(entries)
}

function entriesOf(object: JsonObject, names: readonly string[]): [string, JsonValue][] {
  return names.flatMap((name): [string, JsonValue][] => {
    const member = object[name]
    return member === undefined ? [] : [[name, member]]
  })
}
