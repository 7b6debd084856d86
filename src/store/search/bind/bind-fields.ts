import { unsupportedField } from './bind-errors.ts'
import { anyOf } from './combine.ts'
import type { CompareFields, ComparisonOperator } from '../language/expression.ts'
import type { SearchFields } from './fields.ts'
import { negateIf } from './negate-operator.ts'
import type { Predicate, TextOrSpecOperand } from './predicate.ts'
import { resolveField, resolveValue, type Target } from './resolve-field.ts'

/** A target that is compared as text. */
type TextTarget = Extract<Target, { type: 'text' | 'spec' }>

/** A comparison of two fields of a row, which have the same type. */
export function bindFields(leaf: CompareFields, fields: SearchFields, negated: boolean): Predicate {
  const left = resolveField(leaf.field, fields)
  const right = resolveValue(leaf.other, fields)
  const operator = negateIf(negated, leaf.operator)
  if (isText(left) && isText(right)) return compareTexts(left, operator, right)
  if (left.type === 'int32' && right.type === 'int32') {
    return { type: 'int-compare', operands: [left.operand, right.operand], operator }
  }
  if (left.type === 'time' && right.type === 'time') {
    const [first, second] = [left.operand, right.operand]
    if (first.source === 'column' && second.source === 'column') {
      return { type: 'times-compare', columns: [first.column, second.column], operator }
    }
  }
  throw unsupportedField(leaf.field, leaf.other)
}

function isText(target: Target): target is TextTarget {
  return target.type === 'text' || target.type === 'spec'
}

/** Equality compares values in the spec as text. Order compares text, or two numbers. */
function compareTexts(
  left: TextTarget,
  operator: ComparisonOperator,
  right: TextTarget,
): Predicate {
  const isOrder = operator !== '=' && operator !== '!='
  const source = isOrder ? 'spec' : 'spec-text'
  const operands = [operandOf(left, source), operandOf(right, source)] as const
  const texts: Predicate = { type: 'text-compare', operands, operator }
  if (!isOrder || left.type !== 'spec' || right.type !== 'spec') return texts
  return anyOf([texts, { type: 'spec-compare', paths: [left.path, right.path], operator }])
}

function operandOf(target: TextTarget, source: 'spec' | 'spec-text'): TextOrSpecOperand {
  return target.type === 'text' ? target.operand : { source, path: target.path }
}
