import type { Field } from '../language/expression.ts'
import { lowerAscii } from '../language/lower-ascii.ts'
import type { SearchFields } from './fields.ts'
import type { IntOperand, TextOperand, TimeOperand } from './predicate.ts'
import { unknownConditionPart, unknownField, unquotedValue } from './unknown-field.ts'

/** The operand in the searched table to which a field resolves. */
export type Target =
  | { readonly type: 'text'; readonly operand: TextOperand }
  | { readonly type: 'int32'; readonly operand: IntOperand }
  | { readonly type: 'time'; readonly operand: TimeOperand }
  | { readonly type: 'condition'; readonly condition: string }
  | { readonly type: 'spec'; readonly path: readonly string[] }

const CONDITION = /^status\.conditions\.([A-Z][A-Za-z0-9]*)(?:\.(.+))?$/

/** Resolves a field, or throws an error that lists the fields of the table. */
export function resolveField(field: Field, fields: SearchFields): Target {
  switch (field.type) {
    case 'label':
      if (!fields.labels) throw unknownField(field, fields)
      return { type: 'text', operand: { source: 'label', key: field.key } }
    case 'spec':
      if (!fields.spec) throw unknownField(field, fields)
      return { type: 'spec', path: field.path }
    case 'name': {
      const target = scalar(field.name, fields) ?? conditionOrPart(field, field.name, fields)
      if (target === null) throw unknownField(field, fields)
      return target
    }
  }
}

/** Resolves the field on the right, which may be a value without quotes. */
export function resolveValue(field: Field, fields: SearchFields): Target {
  if (field.type !== 'name') return resolveField(field, fields)
  const target = scalar(field.name, fields) ?? conditionOrPart(field, field.name, fields)
  if (target === null) throw unquotedValue(field)
  return target
}

/** A column or derived text. Letter case does not matter. */
function scalar(field: string, { scalars, derived }: SearchFields): Target | null {
  const name = lowerAscii(field)
  const operand = derived.get(name)
  if (operand !== undefined) return { type: 'text', operand }
  const found = scalars.get(name)
  if (found === undefined) return null
  const { type, ...column } = found
  return { type, operand: { source: 'column', ...column } }
}

function conditionOrPart(field: Field, name: string, { conditions }: SearchFields): Target | null {
  const [, condition, part] = CONDITION.exec(name) ?? []
  if (conditions === null || condition === undefined) return null
  switch (part) {
    case undefined:
      return { type: 'condition', condition }
    case 'last_transition_time':
      return { type: 'time', operand: { source: 'transition', condition } }
    case 'last_updated_time':
      return { type: 'time', operand: { source: 'update', condition, ...conditions } }
    case 'reason':
      return { type: 'text', operand: { source: 'reason', condition } }
    case 'observed_generation':
      return { type: 'int32', operand: { source: 'condition', condition } }
    default:
      throw unknownConditionPart(field, condition, part)
  }
}
