import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

/** The object, or an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The list, or an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** The text, or an empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The text; null if it is absent or empty. */
export function optionalText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The number; null if it is absent. */
export function optionalNumber(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}

/** The texts of a list. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).filter((each) => typeof each === 'string')
}

/** The texts of a map. */
export function textMapOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([key, each]) =>
      typeof each === 'string' ? [[key, each]] : [],
    ),
  )
}
