import type { ComparisonOperator } from '../language/expression.ts'

const OPPOSITES: Readonly<Record<ComparisonOperator, ComparisonOperator>> = Object.freeze({
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
})

/** The operator that holds where the given one does not, between values that are there. */
export function negateIf(negated: boolean, operator: ComparisonOperator): ComparisonOperator {
  return negated ? OPPOSITES[operator] : operator
}
