import { unknownField } from './bind-errors.ts'
import type { Field } from './expression.ts'
import type { SearchFields } from './fields.ts'
import type { TextOperand } from './predicate.ts'

/** What a field of a search stands for in the searched table. */
type Target =
  | { readonly type: 'text'; readonly operand: TextOperand }
  | { readonly type: 'int32'; readonly column: string }
  | { readonly type: 'time'; readonly column: string }
  | { readonly type: 'condition'; readonly condition: string }

const CONDITION = /^status\.conditions\.([A-Z][A-Za-z0-9]*)$/

/** Finds the field among those of the table, or throws naming them. */
export function resolveField(field: Field, fields: SearchFields): Target {
  if (field.type === 'label') {
    if (!fields.labels) throw unknownField(field, fields)
    return { type: 'text', operand: { source: 'label', key: field.key } }
  }
  const scalar = fields.scalars.get(field.name)
  if (scalar !== undefined) {
    const { type, column } = scalar
    return type === 'text' ? { type, operand: { source: 'column', column } } : { type, column }
  }
  const condition = fields.conditions ? CONDITION.exec(field.name)?.[1] : undefined
  if (condition === undefined) throw unknownField(field, fields)
  return { type: 'condition', condition }
}
