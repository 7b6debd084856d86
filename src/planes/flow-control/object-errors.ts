import { isSameJson } from '../../lib/json/same-json.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { objectOf, objectsOf, textOf } from '../../lib/json/json-fields.ts'
import { invalidValue, requiredValue } from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'

/** The violations of the conditions of a status. */
export function conditionErrors({ status }: ApiObject): readonly FieldError[] {
  return objectsOf(objectOf(status)['conditions']).flatMap(({ type }, index) =>
    textOf(type) === ''
      ? [requiredValue(`status.conditions[${index}].type`, 'must not be empty')]
      : [],
  )
}

/** The violation of a mandatory object whose spec differs from its fixed value. */
export function fixedSpecErrors(
  { metadata: { name = '' }, spec }: ApiObject,
  fixed: JsonValue | undefined,
): readonly FieldError[] {
  if (fixed === undefined || isSameJson(spec ?? null, fixed)) return []
  return [invalidValue('spec', spec ?? null, `spec of '${name}' must equal the fixed value`)]
}

/** The violation of a number below `min` or above `max`. Absent values are valid. */
export function rangeErrors(
  field: string,
  value: JsonValue | undefined,
  { min, max = Infinity, detail }: { min: number; max?: number; detail: string },
): readonly FieldError[] {
  if (typeof value !== 'number' || (value >= min && value <= max)) return []
  return [invalidValue(field, value, detail)]
}
