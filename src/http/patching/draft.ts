import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'

/** The library ignores fields with these names to protect prototypes. */
const IGNORED_KEYS = ['__proto__', 'constructor', 'prototype']

/** Prefix of such a name in a draft. No string in a body contains it. */
const ESCAPE = '\0'

/** Escapes a key for a draft. */
export function draftKey(key: string): string {
  return IGNORED_KEYS.includes(key) ? ESCAPE + key : key
}

/** Copies a value into a draft that the library may change. Keys that it ignores are escaped. */
export function draftOf(value: JsonValue): JsonValue {
  return copy(value, draftKey)
}

/** Copies a draft back into a value with the original keys. */
export function valueOfDraft(draft: JsonValue): JsonValue {
  return copy(draft, (key) => (key.startsWith(ESCAPE) ? key.slice(ESCAPE.length) : key))
}

function copy(value: JsonValue, rename: (key: string) => string): JsonValue {
  // Adding 0 turns -0 into 0, because they are equal in JSON.
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map((item: JsonValue) => copy(item, rename))
  if (!isJsonObject(value)) return value
  const copied: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) {
    const field = copy(value[key] ?? null, rename)
    const name = rename(key)
    setField(copied, name, field)
  }
  return copied
}

/** Sets a field of any name. An assignment to `__proto__` would change the prototype. */
export function setField(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    const own = { configurable: true, enumerable: true, writable: true }
    Object.defineProperty(object, name, { value, ...own })
  } else object[name] = value
}
