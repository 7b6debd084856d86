import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import { objectsOf } from '../../../lib/json/json-fields.ts'

/** Compiles an expression; throws if it is invalid. */
export type CheckExpression = (text: string) => unknown

/** The violation of an expression that is missing or does not compile. */
export function expressionErrors(
  field: string,
  value: JsonValue | undefined,
  compile: CheckExpression,
): readonly FieldError[] {
  if (typeof value !== 'string' || value.trim() === '') return [requiredValue(field)]
  try {
    compile(value)
    return []
  } catch (error) {
    return [invalidValue(field, value, `compilation failed: ${errorMessage(error)}`)]
  }
}

const MAX_CONDITIONS = 64

/** The violations of `matchConditions`. */
export function matchConditionErrors(
  field: string,
  value: JsonValue | undefined,
  compile: CheckExpression,
): readonly FieldError[] {
  const conditions = objectsOf(value)
  if (conditions.length > MAX_CONDITIONS) {
    return [invalidValue(field, conditions.length, `must have at most ${MAX_CONDITIONS} items`)]
  }
  return conditions.flatMap((condition, index) => [
    ...(condition['name'] === '' ? [requiredValue(`${field}[${index}].name`)] : []),
    ...expressionErrors(`${field}[${index}].expression`, condition['expression'], compile),
  ])
}
