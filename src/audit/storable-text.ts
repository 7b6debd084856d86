import { isJsonObject, type JsonValue } from '../lib/json/json.ts'

/** PostgreSQL rejects U+0000 in text, and surrogates without a partner in JSON. */
const UNSTORABLE = /\0|\p{Surrogate}/gu
const REPLACEMENT = '\u{FFFD}'

/** The bytes of a text in UTF-8. PostgreSQL cannot index a text of more than about 2700 bytes. */
const MAX_BYTES = 2048

/**
 * The beginning of a text that comes from a client, in a form that PostgreSQL can store and index. It
 * is a copy: the beginning of a string would keep the whole string in memory.
 */
export function storableText(text: string): string {
  const start = text.slice(0, MAX_BYTES).replaceAll(UNSTORABLE, REPLACEMENT)
  return Buffer.from(start).subarray(0, MAX_BYTES).toString('utf8')
}

/** The text of a JSON value in a form that PostgreSQL can store. */
export function storableJsonText(value: JsonValue): string {
  return JSON.stringify(storableJson(value))
}

function storableJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll(UNSTORABLE, REPLACEMENT)
  if (Array.isArray(value)) return value.map(storableJson)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storableJson(item)]),
  )
}
