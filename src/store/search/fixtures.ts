import { FlotillaError } from '../../lib/errors.ts'
import { defineKind, type RegisteredKind } from '../registry/kind.ts'
import { bind } from './bind/bind.ts'
import type { Expression, Field, Literal } from './language/expression.ts'
import { fieldsOf, type SearchFields } from './bind/fields.ts'
import { parse } from './language/parse.ts'
import type { Predicate } from './bind/predicate.ts'

/** A kind with the fields of every kind, an owner, and two required adapters. */
export const BERTH: RegisteredKind = {
  ...defineKind({
    kind: 'Berth',
    plural: 'berths',
    singular: 'berth',
    parent: { kind: 'Harbour', onDelete: 'cascade' },
    name: { minLength: 1, maxLength: 10 },
    spec: {},
    requiredAdapters: ['dns', 'validator'],
    references: [],
    messages: { available: '', ready: '' },
  }),
  specSchema: {},
  hrefPrefix: '/api/hyperfleet/v1/berths/',
}

/** The search fields of its resources. */
export const RESOURCE_FIELDS = fieldsOf(BERTH)

/** The search, bound to these fields. */
export function bound(text: string, fields: SearchFields = RESOURCE_FIELDS): Predicate {
  const expression = parse(text)
  if (expression === null) throw new Error('blank')
  return bind(expression, fields)
}

/** The error with which the search is rejected. */
export function rejection(text: string, fields?: SearchFields): FlotillaError {
  try {
    bound(text, fields)
  } catch (error) {
    if (error instanceof FlotillaError) return error
    throw error
  }
  throw new Error(`accepted ${text}`)
}

/** The form of expressions in the vectors: left-associative, with negations outside. */
export type Neutral =
  | string
  | number
  | boolean
  | null
  | readonly Neutral[]
  | { readonly field: string }

/** The expression in the form of the vectors. */
export function neutral(expression: Expression): Neutral {
  switch (expression.type) {
    case 'and':
    case 'or':
      return expression.operands
        .map(neutral)
        .reduce((left, right) => [expression.type, left, right])
    case 'not':
      return ['not', neutral(expression.operand)]
    case 'constant':
      return expression.value
    case 'compare-fields': {
      const { field, operator, other } = expression
      return [operator, nameOf(field), { field: nameOf(other) }]
    }
    default: {
      const name = nameOf(expression.field)
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

function nameOf(field: Field): string {
  switch (field.type) {
    case 'name':
      return field.name
    case 'label':
      return `labels.${field.key}`
    case 'spec':
      return `spec ${JSON.stringify(field.path)}`
  }
}

function valueOf(literal: Literal): string | number | boolean {
  return literal.type === 'number' ? Number(literal.decimal) : literal.value
}

/** The expression without spans, for comparisons. */
export function withoutSpans(expression: Expression | null): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) =>
      key === 'span' || key === 'operatorSpan' || key === 'written' ? undefined : value,
    ),
  )
}
