import { type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import type { CelValue } from '../../lib/cel/values/value.ts'

/** Converts JSON without a schema: whole numbers are integers. */
export function celValueOfJson(value: JsonValue | undefined): CelValue {
  if (value === undefined) return null
  if (typeof value === 'number') return celNumber(value)
  if (isJsonArray(value)) return value.map(celValueOfJson)
  if (!isJsonObject(value)) return value
  return new Map(Object.keys(value).map((name) => [name, celValueOfJson(value[name])]))
}

/** Whole numbers are integers, others doubles. */
export function celNumber(value: number): bigint | number {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : value
}
