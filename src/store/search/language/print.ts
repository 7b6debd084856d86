import { unreachable } from '../../../lib/assert.ts'
import type { Comparison, Expression, Field, Literal } from './expression.ts'
import { needsNoQuotes } from './scanner/scan-name.ts'
import { isBareSpecKey } from './scanner/scan-spec.ts'

/** A search text that parses to this expression, with as few brackets as possible. */
export function print(expression: Expression): string {
  switch (expression.type) {
    case 'and':
    case 'or':
      return expression.operands
        .map((operand) =>
          bindsTighter(operand, expression.type) ? print(operand) : `(${print(operand)})`,
        )
        .join(` ${expression.type} `)
    case 'not':
      return printNot(expression.operand)
    case 'constant':
      return String(expression.value)
    case 'compare-fields': {
      const { field, operator, other } = expression
      return `${printField(field)} ${operator} ${printField(other)}`
    }
    default:
      return printComparison(expression, '')
  }
}

/** A field in the syntax of searches. */
export function printField(field: Field): string {
  switch (field.type) {
    case 'name':
      return field.name
    case 'label':
      return `labels.${needsNoQuotes(field.key) ? field.key : quoted(field.key)}`
    case 'spec':
      return ['spec', ...field.path.map((key) => (isBareSpecKey(key) ? key : quoted(key)))].join(
        '.',
      )
  }
}

function quoted(key: string): string {
  return `"${key.replaceAll('"', '""')}"`
}

/** A literal in the syntax of searches. */
export function printLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return `'${literal.value.replaceAll("'", "''")}'`
    case 'number':
      return literal.text
    case 'boolean':
      return String(literal.value)
  }
}

function bindsTighter(operand: Expression, chain: 'and' | 'or'): boolean {
  return operand.type !== 'or' && (operand.type !== 'and' || chain === 'or')
}

function printNot(operand: Expression): string {
  switch (operand.type) {
    case 'and':
    case 'or':
      return `not (${print(operand)})`
    case 'not':
    case 'compare':
    case 'compare-fields':
    case 'constant':
      return `not ${print(operand)}`
    default:
      return printComparison(operand, 'not ')
  }
}

function printComparison(leaf: Comparison, not: '' | 'not '): string {
  const field = printField(leaf.field)
  switch (leaf.type) {
    case 'compare':
      return `${field} ${leaf.operator} ${printLiteral(leaf.value)}`
    case 'in':
      return `${field} ${not}in (${leaf.values.map(printLiteral).join(', ')})`
    case 'like':
      return `${field} ${not}${leaf.ignoreCase ? 'ilike' : 'like'} ${printLiteral(leaf.pattern)}`
    case 'between':
      return `${field} ${not}between ${printLiteral(leaf.low)} and ${printLiteral(leaf.high)}`
    case 'is-null':
      return `${field} is ${not}null`
    default:
      return unreachable(leaf)
  }
}
