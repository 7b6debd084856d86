/**
 * Any JSON value. Only objects of planes contain bigints: integers that a double cannot hold exactly.
 */
export type JsonValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** A JSON object, such as a spec, labels or a serialized resource. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** Whether the value is an object and neither an array nor null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the value is an array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Whether the value is a number of any size. */
export function isJsonNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** The object with other values. */
export function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
