import { allOf, anyOf } from './combine.ts'
import type { Between, Literal } from '../language/expression.ts'
import type { Predicate, RangeOperator } from './predicate.ts'

/** A range that includes both bounds, or (negated) its complement; `compare` binds one bound. */
export function bindBetween(
  { low, high }: Between,
  negated: boolean,
  compare: (operator: RangeOperator, bound: Literal) => Predicate,
): Predicate {
  return negated
    ? anyOf([compare('<', low), compare('>', high)])
    : allOf([compare('>=', low), compare('<=', high)])
}
