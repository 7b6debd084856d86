import type { Comparison, Field, Literal } from './expression.ts'
import type { SearchFields } from './fields.ts'
import { printField, printLiteral } from './print.ts'
import { searchError, shorten } from './search-error.ts'
import { suggest } from './suggest.ts'

const CONDITION_PREFIX = 'status.conditions.'
const LONGEST_PIECE = 60

/** A field that the searched table does not have. */
export function unknownField(field: Field, fields: SearchFields): Error {
  const name = printField(field)
  const near = nearMiss(name, fields)
  const list = near === null ? '; fields:' : `; did you mean '${near}'? Fields:`
  const allowed = allowedFields(fields).join(', ')
  const message = `expected a field at ${field.span.start}, found '${short(name)}'${list} ${allowed}`
  return searchError(message, name, field.span)
}

/** An operator that the field does not take. */
export function unsupportedOperator(leaf: Comparison, allowed: string): Error {
  const name = short(printField(leaf.field))
  const operator = operatorOf(leaf)
  const message = `expected an operator that '${name}' takes at ${leaf.operatorSpan.start}, found '${operator}'; operators: ${allowed}`
  return searchError(message, operator, leaf.operatorSpan)
}

/** A value that the field cannot have; `expectation` reads `expected ...`. */
export function unsupportedValue(field: Field, literal: Literal, expectation: string): Error {
  const piece = printLiteral(literal)
  const name = short(printField(field))
  const message = `${expectation} for '${name}' at ${literal.span.start}, found ${short(piece)}`
  return searchError(message, piece, literal.span)
}

function short(piece: string): string {
  return shorten(piece, LONGEST_PIECE)
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

function allowedFields(fields: SearchFields): readonly string[] {
  const names = [...fields.scalars.keys()]
  if (fields.labels) names.push('labels.<key>')
  if (fields.conditions) names.push(`${CONDITION_PREFIX}<Type>`)
  return names
}

/** A scalar of nearly that name, or the same key or type behind a prefix of nearly that name. */
function nearMiss(name: string, fields: SearchFields): string | null {
  const scalar = suggest(name, [...fields.scalars.keys()])
  if (scalar !== null) return scalar
  const dot = name.lastIndexOf('.')
  const last = name.slice(dot + 1)
  const parent = name.slice(0, Math.max(dot, 0))
  const conditions = fields.conditions ? ['status.conditions', 'conditions'] : []
  if (suggest(parent, conditions) !== null) return short(CONDITION_PREFIX + capitalized(last))
  const first = name.indexOf('.')
  if (!fields.labels || first < 0) return null
  const label = suggest(name.slice(0, first), ['labels']) !== null
  return label ? short(`labels.${name.slice(first + 1)}`) : null
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', '')
}
