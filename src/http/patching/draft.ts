import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'

/** Members of these names the library passes over, lest somebody reach a prototype. */
const IGNORED_KEYS = ['__proto__', 'constructor', 'prototype']

/** Stands before such a name in a draft; nothing that comes from a body has it. */
const ESCAPE = '\0'

/** A step of a pointer as it leads through a draft. */
export function draftKey(key: string): string {
  return IGNORED_KEYS.includes(key) ? ESCAPE + key : key
}

/** A copy that the library may change, every name in it one that the library takes as it is. */
export function draftOf(value: JsonValue): JsonValue {
  return copy(value, draftKey)
}

/** The value that the draft stands for. */
export function valueOfDraft(draft: JsonValue): JsonValue {
  return copy(draft, (key) => (key.startsWith(ESCAPE) ? key.slice(ESCAPE.length) : key))
}

function copy(value: JsonValue, rename: (key: string) => string): JsonValue {
  // Of two zeros, which are equal in JSON, one is left.
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map((item: JsonValue) => copy(item, rename))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([key, member]) => [rename(key), copy(member, rename)]))
}
