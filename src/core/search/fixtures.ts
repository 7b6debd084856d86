import type { Expression, Literal } from './expression.ts'
import { printField } from './print.ts'

/** The neutral form of the vectors: left-associative, negations outside. */
export type Neutral = string | number | null | readonly Neutral[]

/** What the vectors call the expression. */
export function neutral(expression: Expression): Neutral {
  switch (expression.type) {
    case 'and':
    case 'or':
      return expression.operands
        .map(neutral)
        .reduce((left, right) => [expression.type, left, right])
    case 'not':
      return ['not', neutral(expression.operand)]
    default: {
      const { field } = expression
      const name = field.type === 'label' ? `labels.${field.key}` : printField(field)
      switch (expression.type) {
        case 'compare':
          return [expression.operator, name, valueOf(expression.value)]
        case 'in':
          return ['in', name, expression.values.map(valueOf)]
        case 'like':
          return [expression.ignoreCase ? 'ilike' : 'like', name, expression.pattern.value]
        case 'between':
          return ['between', name, valueOf(expression.low), valueOf(expression.high)]
        case 'is-null':
          return ['is-null', name]
      }
    }
  }
}

function valueOf(literal: Literal): string | number {
  return literal.type === 'string' ? literal.value : Number(literal.text)
}

/** The tree without its spans, to compare by meaning. */
export function withoutSpans(expression: Expression | null): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) =>
      key === 'span' || key === 'operatorSpan' ? undefined : value,
    ),
  )
}
