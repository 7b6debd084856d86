import { endLongTurn } from '../../../lib/async/steps.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
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

/**
 * The violations of the items of a list. Other events are handled between two items, because a list
 * may have thousands of expressions.
 */
export async function itemErrors(
  field: string,
  value: JsonValue | undefined,
  errorsOf: (
    field: string,
    item: JsonObject,
  ) => readonly FieldError[] | Promise<readonly FieldError[]>,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = []
  for (const [index, item] of objectsOf(value).entries()) {
    errors.push(...(await errorsOf(`${field}[${index}]`, item)))
    await endLongTurn()
  }
  return errors
}

const MAX_CONDITIONS = 64

/** The violations of `matchConditions`. */
export async function matchConditionErrors(
  field: string,
  value: JsonValue | undefined,
  compile: CheckExpression,
): Promise<readonly FieldError[]> {
  const { length } = objectsOf(value)
  if (length > MAX_CONDITIONS) {
    return [invalidValue(field, length, `must have at most ${MAX_CONDITIONS} items`)]
  }
  return itemErrors(field, value, (item, { name, expression }) => [
    ...(name === '' ? [requiredValue(`${item}.name`)] : []),
    ...expressionErrors(`${item}.expression`, expression, compile),
  ])
}
