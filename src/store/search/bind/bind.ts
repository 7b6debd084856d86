import { bindCondition } from './bind-condition.ts'
import { bindInt32 } from './bind-int32.ts'
import { bindSpec } from './bind-spec.ts'
import { bindText } from './bind-text.ts'
import { bindTime } from './bind-time.ts'
import { allOf, anyOf } from './combine.ts'
import { bindFields } from './bind-fields.ts'
import type { Comparison, Expression } from '../language/expression.ts'
import type { SearchFields } from './fields.ts'
import { FALSE, type Predicate, TRUE } from './predicate.ts'
import { resolveField } from './resolve-field.ts'

/**
 * Binds an expression to these fields: flat, without NOT, and simplified. Throws `invalid-search`
 * for the first unknown field, unsupported operator or invalid value, with its position.
 */
export function bind(expression: Expression, fields: SearchFields): Predicate {
  return bindNode(expression, fields, false)
}

function bindNode(expression: Expression, fields: SearchFields, negated: boolean): Predicate {
  switch (expression.type) {
    case 'and':
    case 'or': {
      const operands = expression.operands.map((operand) => bindNode(operand, fields, negated))
      const conjunction = (expression.type === 'and') !== negated
      return conjunction ? allOf(operands) : anyOf(operands)
    }
    case 'not':
      return bindNode(expression.operand, fields, !negated)
    case 'constant':
      return expression.value === negated ? FALSE : TRUE
    case 'compare-fields':
      return bindFields(expression, fields, negated)
    default:
      return bindLeaf(expression, fields, negated)
  }
}

function bindLeaf(leaf: Comparison, fields: SearchFields, negated: boolean): Predicate {
  const target = resolveField(leaf.field, fields)
  switch (target.type) {
    case 'text':
      return bindText(leaf, target.operand, negated)
    case 'int32':
      return bindInt32(leaf, target.operand, negated)
    case 'time':
      return bindTime(leaf, target.operand, negated)
    case 'condition':
      return bindCondition(leaf, target.condition, negated)
    case 'spec':
      return bindSpec(leaf, target.path, negated)
  }
}
