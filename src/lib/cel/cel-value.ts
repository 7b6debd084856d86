import { type JsonValue, isJsonArray, isJsonObject } from '../json/json.ts'
import { isSensitiveName, REDACTED } from './sensitive-names.ts'

/** A JSON value in CEL. Objects are maps, so that keys cannot collide with inherited properties. */
export type CelValue =
  | null
  | boolean
  | number
  | string
  | readonly CelValue[]
  | ReadonlyMap<string, CelValue>

/**
 * Converts JSON for an expression, and redacts fields whose names suggest a secret at any depth.
 */
export function celValueOf(value: JsonValue): CelValue {
  if (isJsonArray(value)) return value.map(celValueOf)
  if (typeof value === 'bigint') return Number(value)
  if (!isJsonObject(value)) return value
  return new Map(Object.entries(value).map(([name, field]) => [name, fieldOf(name, field)]))
}

function fieldOf(name: string, field: JsonValue | undefined): CelValue {
  if (isSensitiveName(name)) return REDACTED
  return field === undefined ? null : celValueOf(field)
}
