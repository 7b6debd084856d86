import { type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'

/** A value in CEL. Objects are maps, so that keys cannot collide with inherited properties. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Date
  | object
  | readonly CelValue[]
  | ReadonlyMap<string, CelValue>

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
