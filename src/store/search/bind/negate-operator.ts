import type { ComparisonOperator } from '../language/expression.ts'

const OPPOSITES: Readonly<Record<ComparisonOperator, ComparisonOperator>> = Object.freeze({
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
})

/** The complementary operator if negated; complementary for values that are not null. */
export function negateIf(negated: boolean, operator: ComparisonOperator): ComparisonOperator {
  return negated ? OPPOSITES[operator] : operator
}
