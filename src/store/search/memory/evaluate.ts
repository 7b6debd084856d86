import { compareText } from '../../../lib/text/compare-text.ts'
import { microsecondsOf } from '../../../lib/precise-date.ts'
import { canonicalDecimal, compareDecimals } from '../language/decimal.ts'
import { isBetweenMicroseconds, sortableInstant, sortableText } from '../language/instant-text.ts'
import { lowerAscii } from '../language/lower-ascii.ts'
import { matchesLike } from '../language/matches-like.ts'
import type { Instant } from '../language/time-literal.ts'
import type {
  IntCompare,
  Junction,
  Predicate,
  SpecCompare,
  SpecIn,
  SpecRange,
  TextLike,
  TimeCompare,
  TimesCompare,
} from '../bind/predicate.ts'
import { integerOf, labelOf, type SearchRow, textOf, timeOf } from './search-row.ts'
import { valueAt } from './value-at.ts'

/** Whether the row matches. Selects the same rows as the SQL of `compile`. */
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
    case 'spec-in':
      return isInSpec(predicate, row)
    case 'spec-range':
      return isInRange(predicate, row)
    case 'spec-compare':
      return isNumberOrder(predicate, row)
    case 'spec-null':
      return (valueAt(row.spec, predicate.path) === null) !== predicate.negated
    case 'condition-in': {
      const found = row.conditions.get(predicate.condition)
      return found !== undefined && predicate.statuses.includes(found.status)
    }
    case 'condition-absent':
      return !row.conditions.has(predicate.condition)
    default:
      return evaluateField(predicate, row)
  }
}

type FieldPredicate = Exclude<
  Predicate,
  | Junction
  | { type: 'true' | 'false' | 'condition-in' | 'condition-absent' }
  | { type: 'spec-in' | 'spec-range' | 'spec-compare' | 'spec-null' }
>

/** Whether text, labels, integers and times match. */
function evaluateField(predicate: FieldPredicate, row: SearchRow): boolean {
  switch (predicate.type) {
    case 'text-range': {
      const text = textOf(predicate.operand, row)
      return text !== null && holds(predicate.operator, compareText(text, predicate.value))
    }
    case 'text-in': {
      const text = textOf(predicate.operand, row)
      return text !== null && predicate.values.includes(text) !== predicate.negated
    }
    case 'text-compare': {
      const [left, right] = predicate.operands.map((operand) => textOf(operand, row))
      return isText(left) && isText(right) && holds(predicate.operator, compareText(left, right))
    }
    case 'text-like':
      return isLike(predicate, textOf(predicate.operand, row))
    case 'labels-equal':
      return hasLabels(predicate.labels, row)
    case 'label-absent':
      return (labelOf(predicate.key, row) === null) !== predicate.negated
    case 'int-range': {
      const value = integerOf(predicate.operand, row)
      return value !== null && holds(predicate.operator, value - predicate.value)
    }
    case 'int-in': {
      const value = integerOf(predicate.operand, row)
      return value !== null && predicate.values.includes(value) !== predicate.negated
    }
    case 'int-compare':
      return isIntegerOrder(predicate, row)
    case 'time-compare':
      return isAtTime(predicate, row)
    case 'times-compare':
      return isTimeOrder(predicate, row)
    case 'column-null': {
      const absent = predicate.absence === 'null' ? null : ''
      return (row.scalar(predicate.column) === absent) !== predicate.negated
    }
  }
}

function hasLabels(labels: ReadonlyMap<string, string>, row: SearchRow): boolean {
  for (const [key, value] of labels) if (labelOf(key, row) !== value) return false
  return true
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

function isAtTime({ operand, operator, value }: TimeCompare, row: SearchRow): boolean {
  if (operand.source === 'column') {
    const time = timeOf(operand.column, row)
    return time !== null && holds(operator, compareInstants(time, value))
  }
  const condition = row.conditions.get(operand.condition)
  if (condition === undefined) return false
  const time =
    operand.source === 'transition' ? condition.last_transition_time : condition.last_updated_time
  return holds(operator, compareText(sortableText(time), sortableInstant(value)))
}

function compareInstants(time: Date, value: Instant): number {
  const { millisecond, fraction } = value
  const difference =
    time.getTime() - millisecond ||
    microsecondsOf(time) - Number(fraction.slice(0, 3).padEnd(3, '0'))
  return difference === 0 && isBetweenMicroseconds(value) ? -1 : difference
}

function isIntegerOrder({ operands, operator }: IntCompare, row: SearchRow): boolean {
  const left = integerOf(operands[0], row)
  const right = integerOf(operands[1], row)
  return left !== null && right !== null && holds(operator, left - right)
}

function isTimeOrder({ columns, operator }: TimesCompare, row: SearchRow): boolean {
  const left = timeOf(columns[0], row)
  const right = timeOf(columns[1], row)
  if (left === null || right === null) return false
  const difference = left.getTime() - right.getTime()
  return holds(operator, difference || microsecondsOf(left) - microsecondsOf(right))
}

function isNumberOrder({ paths, operator }: SpecCompare, row: SearchRow): boolean {
  const left = valueAt(row.spec, paths[0])
  const right = valueAt(row.spec, paths[1])
  if (typeof left !== 'number' || typeof right !== 'number') return false
  return holds(operator, left - right)
}

function isInSpec({ path, values, negated }: SpecIn, row: SearchRow): boolean {
  const value = valueAt(row.spec, path)
  if (value === null) return false
  const json = typeof value === 'number' ? canonicalDecimal(String(value)) : JSON.stringify(value)
  return (typeof value !== 'object' && values.includes(json)) !== negated
}

function isText(text: string | null | undefined): text is string {
  return typeof text === 'string'
}

function isInRange({ path, operator, value: bound }: SpecRange, row: SearchRow): boolean {
  const value = valueAt(row.spec, path)
  return typeof value === 'number' && holds(operator, compareDecimals(String(value), bound))
}
