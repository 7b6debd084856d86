import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { PrinterColumn } from '../model/resource-type.ts'

/** The first column of most tables. */
export const NAME_COLUMN: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique in its namespace.',
  jsonPath: '.metadata.name',
}

/** The time since the creation. */
export const AGE_COLUMN: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'Time since the creation of the object.',
  jsonPath: '.metadata.creationTimestamp',
}

/** The time of the creation, in RFC 3339. */
export const CREATED_AT_COLUMN: PrinterColumn = {
  name: 'Created At',
  type: 'string',
  description: 'Time of the creation of the object.',
  jsonPath: '.metadata.creationTimestamp',
}

/** A text that a path finds. */
export function textColumn(name: string, jsonPath: string, description: string): PrinterColumn {
  return { name, type: 'string', description, jsonPath }
}

/** The number of members of the maps and lists in the fields. */
export function countColumn(
  name: string,
  fields: readonly string[],
  description: string,
): PrinterColumn {
  return {
    name,
    type: 'integer',
    description,
    jsonPath: '',
    cell: (object) => fields.reduce((sum, field) => sum + size(object[field]), 0),
  }
}

/** A value that a function computes. */
export function computedColumn(
  name: string,
  description: string,
  cell: (object: ApiObject, now: Date) => JsonValue,
): PrinterColumn {
  return { name, type: 'string', description, jsonPath: '', cell }
}

/** A column that only wide tables show. */
export function wide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: 1 }
}

function size(value: JsonValue | undefined): number {
  if (Array.isArray(value)) return value.length
  return isJsonObject(value) ? Object.keys(value).length : 0
}
