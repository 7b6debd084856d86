import type { Field } from '../language/expression.ts'
import type { SearchFields } from './fields.ts'
import type { IntOperand, TextOperand, TimeOperand } from './predicate.ts'
import { unknownConditionPart, unknownField } from './unknown-field.ts'

/** The operand in the searched table to which a field resolves. */
type Target =
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

function scalar(name: string, { scalars }: SearchFields): Target | null {
  const found = scalars.get(name)
  if (found === undefined) return null
  const { type, column, nullable = false } = found
  return type === 'time'
    ? { type, operand: { source: 'column', column, nullable } }
    : { type, operand: { source: 'column', column } }
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
    case 'observed_generation':
      return { type: 'int32', operand: { source: 'condition', condition } }
    default:
      throw unknownConditionPart(field, condition, part)
  }
}
