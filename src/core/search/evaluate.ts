import { assert } from '../../lib/assert.ts'
import type { ConditionStatus } from '../model/condition.ts'
import { compareText } from '../../lib/compare-text.ts'
import { lowerAscii } from './lower-ascii.ts'
import { matchesLike } from './matches-like.ts'
import type { Instant, Predicate, TextLike, TextOperand, TimeCompare } from './predicate.ts'

/** What a search sees of one row. */
export interface SearchRow {
  /** The value of a column that holds text, an integer or a time; none of them is ever null. */
  readonly scalar: (column: string) => string | number | Date
  readonly labels: Readonly<Record<string, string>>
  /** `{Type: Status}` */
  readonly conditions: Readonly<Record<string, ConditionStatus>>
}

/** Whether the row matches: the same rows as the SQL of `compile` selects. */
export function evaluate(predicate: Predicate, row: SearchRow): boolean {
  switch (predicate.type) {
    case 'true':
      return true
    case 'false':
      return false
    case 'and':
      return predicate.operands.every((operand) => evaluate(operand, row))
    case 'or':
      return predicate.operands.some((operand) => evaluate(operand, row))
    case 'text-range': {
      const text = textOf(predicate.operand, row)
      return text !== null && holds(predicate.operator, compareText(text, predicate.value))
    }
    case 'text-in': {
      const text = textOf(predicate.operand, row)
      return text !== null && predicate.values.includes(text) !== predicate.negated
    }
    case 'text-like':
      return isLike(predicate, textOf(predicate.operand, row))
    case 'labels-equal':
      return [...predicate.labels].every(([key, value]) => own(row.labels, key) === value)
    case 'label-absent':
      return (own(row.labels, predicate.key) === null) !== predicate.negated
    case 'int-range':
      return holds(predicate.operator, intOf(predicate.column, row) - predicate.value)
    case 'int-in':
      return predicate.values.includes(intOf(predicate.column, row)) !== predicate.negated
    case 'time-compare':
      return holds(
        predicate.operator,
        compareInstants(timeOf(predicate.column, row), predicate.value),
      )
    case 'condition-in': {
      const status = own(row.conditions, predicate.condition)
      return status !== null && predicate.statuses.includes(status)
    }
    case 'condition-absent':
      return own(row.conditions, predicate.condition) === null
  }
}

function holds(operator: TimeCompare['operator'], order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function isLike({ pattern, ignoreCase, negated }: TextLike, text: string | null): boolean {
  if (text === null) return false
  const matches = ignoreCase
    ? matchesLike(lowerAscii(text), lowerAscii(pattern))
    : matchesLike(text, pattern)
  return matches !== negated
}

function compareInstants(time: Date, instant: Instant): number {
  const difference = time.getTime() - instant.millisecond
  return difference === 0 && instant.between ? -1 : difference
}

/** The member, null where there is none; what objects inherit is no member. */
function own<T>(members: Readonly<Record<string, T>>, key: string): T | null {
  return Object.hasOwn(members, key) ? (members[key] ?? null) : null
}

function textOf(operand: TextOperand, row: SearchRow): string | null {
  if (operand.source === 'label') return own(row.labels, operand.key)
  const value = row.scalar(operand.column)
  assert(typeof value === 'string', `${operand.column} is text`)
  return value
}

function intOf(column: string, row: SearchRow): number {
  const value = row.scalar(column)
  assert(typeof value === 'number', `${column} is a number`)
  return value
}

function timeOf(column: string, row: SearchRow): Date {
  const value = row.scalar(column)
  assert(value instanceof Date, `${column} is a time`)
  return value
}
