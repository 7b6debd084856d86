import { assert } from '../../../lib/assert.ts'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import type { ResourceCondition } from '../../model/condition.ts'
import type { IntOperand, TextOrSpecOperand } from '../bind/predicate.ts'
import { plainDecimal } from '../language/decimal.ts'
import { valueAt } from './value-at.ts'

/** The searchable fields of a condition. `last_updated_time` is the one that the caller returns. */
type SearchedCondition = Pick<
  ResourceCondition,
  'status' | 'reason' | 'observed_generation' | 'last_updated_time' | 'last_transition_time'
>

/** The searchable values of a row. */
export interface SearchRow {
  /** The value of a text, integer or time column, which can be null. */
  readonly scalar: (column: string) => string | number | Date | null
  readonly labels: Readonly<Record<string, string>>
  /** By type. */
  readonly conditions: ReadonlyMap<string, SearchedCondition>
  readonly spec: JsonObject
}

/** The label, or null. Ignores inherited properties. */
export function labelOf(key: string, { labels }: SearchRow): string | null {
  return Object.hasOwn(labels, key) ? (labels[key] ?? null) : null
}

/** The text operand, or null if the row lacks it. */
export function textOf(operand: TextOrSpecOperand, row: SearchRow): string | null {
  switch (operand.source) {
    case 'label':
      return labelOf(operand.key, row)
    case 'reason': {
      const condition = row.conditions.get(operand.condition)
      return condition === undefined ? null : (condition.reason ?? '')
    }
    case 'spec': {
      const value = valueAt(row.spec, operand.path)
      return typeof value === 'string' ? value : null
    }
    case 'spec-text':
      return scalarText(valueAt(row.spec, operand.path))
    case 'column': {
      const value = columnOf(operand.column, row)
      return value === '' && operand.absence === 'empty' ? null : value
    }
    case 'prefixed':
      return operand.prefix + (columnOf(operand.column, row) ?? '')
    case 'constant':
      return operand.value
  }
}

function columnOf(column: string, row: SearchRow): string | null {
  const value = row.scalar(column)
  assert(value === null || typeof value === 'string', `${column} is text`)
  return value
}

/** Text, a number or a boolean as PostgreSQL writes it; null for other values. */
function scalarText(value: JsonValue): string | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return plainDecimal(String(value))
    case 'boolean':
      return String(value)
    default:
      return null
  }
}

/** The integer operand, or null if the row lacks it. */
export function integerOf(operand: IntOperand, row: SearchRow): number | null {
  if (operand.source === 'condition') {
    return row.conditions.get(operand.condition)?.observed_generation ?? null
  }
  const value = row.scalar(operand.column)
  assert(typeof value === 'number', `${operand.column} is a number`)
  return value
}

/** The time in a column, or null. */
export function timeOf(column: string, row: SearchRow): Date | null {
  const value = row.scalar(column)
  assert(value === null || value instanceof Date, `${column} is a time`)
  return value
}
