import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts'

/** The object, or an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The list, or an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

/** The objects of a list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return listOf(value).filter((item) => isJsonObject(item))
}

/** The texts of a list. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** The texts of a map. */
export function textMapOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

/** The text, or an empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The text; null if it is absent or empty. */
export function optionalText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The number, or 0. */
export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0
}

/** The number; null if it is absent. */
export function optionalNumber(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}
