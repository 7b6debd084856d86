import { isJsonNumber, type JsonValue } from '../../../lib/json/json.ts'
import { invalidType, invalidValue } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { type Check, report } from './validation-run.ts'

/** The least and greatest values of integer formats. */
const RANGES: ReadonlyMap<string, readonly [bigint, bigint]> = new Map([
  ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
])

/** Checks the type and null. Null if the schema allows any type. */
export function compileTypeCheck(schema: Schema): Check | null {
  const types = typesOf(schema)
  if (types.length === 0) return null
  const expected = types.join(',')
  const range = schema.type === 'integer' ? RANGES.get(schema.format ?? '') : undefined
  return (value, _old, path, run) => {
    if (value === null && schema.nullable === true) return
    if (!types.some((type) => hasType(value, type))) {
      const found = typeOf(value)
      const detail = `${path} in body must be of type ${expected}: "${found}"`
      report(run, invalidType(path, found, detail))
    } else if (range && isJsonNumber(value) && (value < range[0] || value > range[1])) {
      const detail = `Checked value must be of type integer with format ${schema.format} in ${path}`
      report(run, invalidValue(path, value, detail))
    }
  }
}

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string']
  return schema.type === undefined ? [] : [schema.type]
}

function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'number':
      return isJsonNumber(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

/** The type of a value as messages name it. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : typeof value
}
