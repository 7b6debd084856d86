import { suggest } from '../../../lib/text/suggest.ts'
import type { Field } from '../language/expression.ts'
import type { SearchFields } from './fields.ts'
import { printField } from '../language/print.ts'
import { searchError, shortPiece } from '../language/search-error.ts'

const CONDITION_PREFIX = 'status.conditions.'
const CONDITION_PARTS = [
  'last_updated_time',
  'last_transition_time',
  'observed_generation',
  'reason',
]

/** The error for a field that the searched table does not have. */
export function unknownField(field: Field, fields: SearchFields): Error {
  const name = printField(field)
  const allowed = allowedFields(fields)
  return unknown(field, { what: 'a field', list: 'fields', near: nearMiss(name, fields), allowed })
}

/** The error for a field of a condition that does not exist or is not searchable. */
export function unknownConditionPart(field: Field, condition: string, part: string): Error {
  const whole = CONDITION_PREFIX + condition
  const near = suggest(part, CONDITION_PARTS)
  return unknown(field, {
    what: 'a part of a condition',
    list: 'parts',
    near: part === 'status' ? whole : near && `${whole}.${near}`,
    allowed: CONDITION_PARTS,
  })
}

/** The error for a name on the right that is no field. */
export function unquotedValue(field: Field): Error {
  const name = printField(field)
  const found = `expected a value or a field at ${field.span.start}, found '${shortPiece(name)}'`
  return searchError(`${found}; quote text with '`, name, field.span)
}

interface Unknown {
  readonly what: string
  readonly list: string
  readonly near: string | null
  readonly allowed: readonly string[]
}

function unknown(field: Field, { what, list, near, allowed }: Unknown): Error {
  const name = printField(field)
  const found = `expected ${what} at ${field.span.start}, found '${shortPiece(name)}'`
  const question = near === null ? '; ' : `; did you mean '${shortPiece(near)}'? `
  const title = near === null ? list : list.charAt(0).toUpperCase() + list.slice(1)
  return searchError(`${found}${question}${title}: ${allowed.join(', ')}`, name, field.span)
}

function allowedFields(fields: SearchFields): readonly string[] {
  const { labels, conditions, spec } = fields
  const names = namesOf(fields)
  if (labels) names.push('labels.<key>')
  if (conditions !== null) {
    const type = `${CONDITION_PREFIX}<Type>`
    names.push(type, ...CONDITION_PARTS.map((part) => `${type}.${part}`))
  }
  if (spec) names.push('spec.<path>')
  return names
}

function namesOf({ scalars, derived }: SearchFields): string[] {
  return [...scalars.keys(), ...derived.keys()]
}

/**
 * A scalar with a similar name, or the same condition, key or path after a prefix with a similar
 * name.
 */
function nearMiss(name: string, fields: SearchFields): string | null {
  return suggest(name, namesOf(fields)) ?? nearCondition(name, fields) ?? nearKey(name, fields)
}

function nearCondition(name: string, { conditions }: SearchFields): string | null {
  if (conditions === null) return null
  const names = name.split('.')
  const parts = CONDITION_PARTS.includes(names.at(-1) ?? '') ? names.splice(-1) : []
  const type = capitalized(names.pop() ?? '')
  if (suggest(names.join('.'), ['status.conditions', 'conditions']) === null) return null
  return [CONDITION_PREFIX + type, ...parts].join('.')
}

function nearKey(name: string, { labels, spec }: SearchFields): string | null {
  const dot = name.indexOf('.')
  const prefixes = [...(labels ? ['labels'] : []), ...(spec ? ['spec'] : [])]
  const prefix = dot < 0 ? null : suggest(name.slice(0, dot), prefixes)
  return prefix && prefix + name.slice(dot)
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', '')
}
