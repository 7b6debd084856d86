import { isJsonNumber, type JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { PrinterColumn } from '../model/resource-type.ts'
import { evaluateJsonPath } from './evaluate-json-path.ts'
import { ageOf } from './human-duration.ts'
import type { JsonPath } from './json-path.ts'
import { parseJsonPath } from './parse-json-path.ts'
import { jsonText } from '../../lib/json/json-text.ts'

const PATHS = new WeakMap<PrinterColumn, { readonly path: JsonPath | null }>()

/** The cell of an object in a column; null if the value is missing or has another type. */
export function cellValue(column: PrinterColumn, object: ApiObject, now: Date): JsonValue {
  if (column.cell !== undefined) return column.cell(object, now)
  const path = pathOf(column)
  const value = path === null ? undefined : evaluateJsonPath(path, object)[0]
  return value === undefined || value === null ? null : format(column.type, value, now)
}

/** Columns of a type are parsed once. */
function pathOf(column: PrinterColumn): JsonPath | null {
  const cached = PATHS.get(column)
  if (cached !== undefined) return cached.path
  const path = parseJsonPath(column.jsonPath)
  PATHS.set(column, { path })
  return path
}

function format(type: PrinterColumn['type'], value: JsonValue, now: Date): JsonValue {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : jsonText(value)
    case 'integer':
      if (typeof value === 'bigint') return value
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return isJsonNumber(value) ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null
  }
}
