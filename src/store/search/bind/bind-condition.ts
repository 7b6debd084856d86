import type { ConditionStatus } from '../../model/condition.ts'
import { unsupportedOperator, unsupportedValue } from './bind-errors.ts'
import type { Comparison, Field, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate } from './predicate.ts'

const STATUSES: readonly ConditionStatus[] = ['True', 'False', 'Unknown']
const OPERATORS = '= != in, is null'

/**
 * A comparison of a condition's status. Statuses are a closed set, so a negation becomes "one of
 * the others", which an index answers.
 */
export function bindCondition(leaf: Comparison, condition: string, negated: boolean): Predicate {
  const { field } = leaf
  switch (leaf.type) {
    case 'compare': {
      const operator = negateIf(negated, leaf.operator)
      if (operator !== '=' && operator !== '!=') throw unsupportedOperator(leaf, OPERATORS)
      return among(condition, [statusOf(field, leaf.value)], operator === '!=')
    }
    case 'in': {
      if (leaf.values.length === 0) return negated ? TRUE : FALSE
      const statuses = leaf.values.map((literal) => statusOf(field, literal))
      return among(condition, statuses, negated)
    }
    case 'is-null':
      return conditionNull(condition, negated)
    case 'like':
    case 'between':
      throw unsupportedOperator(leaf, OPERATORS)
  }
}

/** Matches if the condition, and so each of its fields, is absent, or (negated) present. */
export function conditionNull(condition: string, negated: boolean): Predicate {
  return negated ? among(condition, STATUSES, false) : { type: 'condition-absent', condition }
}

function among(condition: string, named: readonly ConditionStatus[], negated: boolean): Predicate {
  const statuses = STATUSES.filter((status) => named.includes(status) !== negated)
  return statuses.length === 0 ? FALSE : { type: 'condition-in', condition, statuses }
}

function statusOf(field: Field, literal: Literal): ConditionStatus {
  const status = STATUSES.find((one) => literal.type === 'string' && one === literal.value)
  if (status === undefined) {
    throw unsupportedValue(field, literal, "expected 'True', 'False' or 'Unknown'")
  }
  return status
}
