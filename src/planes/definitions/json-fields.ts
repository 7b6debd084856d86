import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

/** The text of a member; empty if there is none. */
export function textOf(object: JsonObject, name: string): string {
  const value = member(object, name)
  return typeof value === 'string' ? value : ''
}

/** Whether a member is true. */
export function flagOf(object: JsonObject, name: string): boolean {
  return member(object, name) === true
}

/** The object of a member; empty if there is none. */
export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = member(object, name)
  return isJsonObject(value) ? value : {}
}

/** The objects of a list. */
export function objectsOf(object: JsonObject, name: string): readonly JsonObject[] {
  return listOf(object, name).filter((item) => isJsonObject(item))
}

/** The texts of a list. */
export function textsOf(object: JsonObject, name: string): readonly string[] {
  return listOf(object, name).filter((item) => typeof item === 'string')
}

function listOf(object: JsonObject, name: string): readonly JsonValue[] {
  const value = member(object, name)
  return isJsonArray(value) ? value : []
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
