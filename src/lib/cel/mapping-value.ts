import { type JsonValue, isJsonArray, isJsonObject } from '../json/json.ts'
import { isSensitiveName, REDACTED } from './sensitive-names.ts'

/** A JSON value in an expression that maps conditions: numbers are doubles. Objects are maps, so that keys cannot collide with inherited properties. */
export type MappingValue =
  | null
  | boolean
  | number
  | string
  | readonly MappingValue[]
  | ReadonlyMap<string, MappingValue>

/**
 * Converts JSON for an expression, and redacts fields whose names suggest a secret at any depth.
 */
export function mappingValueOf(value: JsonValue): MappingValue {
  if (isJsonArray(value)) return value.map(mappingValueOf)
  if (typeof value === 'bigint') return Number(value)
  if (!isJsonObject(value)) return value
  return new Map(Object.entries(value).map(([name, field]) => [name, fieldOf(name, field)]))
}

function fieldOf(name: string, field: JsonValue | undefined): MappingValue {
  if (isSensitiveName(name)) return REDACTED
  return field === undefined ? null : mappingValueOf(field)
}
