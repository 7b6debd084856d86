import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { isSensitiveName, REDACTED } from './sensitive-names.ts'

/** A JSON value as CEL sees it: objects are maps, so that no key collides with JavaScript's members. */
export type CelValue =
  | null
  | boolean
  | number
  | string
  | readonly CelValue[]
  | ReadonlyMap<string, CelValue>

/** Converts JSON for an expression; members whose names suggest a secret are redacted, at any depth. */
export function celValueOf(value: JsonValue): CelValue {
  if (isJsonArray(value)) return value.map(celValueOf)
  if (!isJsonObject(value)) return value
  return new Map(Object.entries(value).map(([name, member]) => [name, memberOf(name, member)]))
}

function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function memberOf(name: string, member: JsonValue | undefined): CelValue {
  if (isSensitiveName(name)) return REDACTED
  return member === undefined ? null : celValueOf(member)
}
