import type { Comparison, Field, Literal } from '../language/expression.ts'
import { printField, printLiteral } from '../language/print.ts'
import { searchError, shortPiece } from '../language/search-error.ts'

/** The error for an operator that the field does not support. */
export function unsupportedOperator(leaf: Comparison, allowed: string): Error {
  const name = shortPiece(printField(leaf.field))
  const operator = operatorOf(leaf)
  const message = `expected an operator that '${name}' takes at ${leaf.operatorSpan.start}, found '${operator}'; operators: ${allowed}`
  return searchError(message, operator, leaf.operatorSpan)
}

/** The error for a value that the field cannot have; `expectation` starts with `expected`. */
export function unsupportedValue(field: Field, literal: Literal, expectation: string): Error {
  const written = literal.type === 'string' ? literal.written : undefined
  const piece = written ?? printLiteral(literal)
  const name = shortPiece(printField(field))
  const message = `${expectation} for '${name}' at ${literal.span.start}, found ${shortPiece(piece)}`
  return searchError(message, piece, literal.span)
}

/** The error for two fields that cannot be compared. */
export function unsupportedField(field: Field, other: Field): Error {
  const [name, found] = [printField(field), printField(other)]
  const message = `expected a value, or a field that '${shortPiece(name)}' can be compared with, at ${other.span.start}, found '${shortPiece(found)}'`
  return searchError(message, found, other.span)
}

function operatorOf(leaf: Comparison): string {
  switch (leaf.type) {
    case 'compare':
      return leaf.operator
    case 'like':
      return leaf.ignoreCase ? 'ilike' : 'like'
    case 'is-null':
      return 'is null'
    case 'in':
    case 'between':
      return leaf.type
  }
}
