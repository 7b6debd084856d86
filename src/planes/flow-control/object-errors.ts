import { isSameJson } from '../../lib/json/same-json.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
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

/** Whether the spec of a mandatory object differs from its fixed value. */
export function fixedSpecErrors(
  { metadata: { name = '' }, spec }: ApiObject,
  fixed: JsonValue | undefined,
): readonly FieldError[] {
  if (fixed === undefined || isSameJson(spec ?? null, fixed)) return []
  return [invalidValue('spec', spec ?? null, `spec of '${name}' must equal the fixed value`)]
}

/** The whole number from `min` to `max`, with the default for an absent one. */
export function rangeErrors(
  field: string,
  value: JsonValue | undefined,
  { min, max = Infinity, detail }: { min: number; max?: number; detail: string },
): readonly FieldError[] {
  if (typeof value !== 'number' || (value >= min && value <= max)) return []
  return [invalidValue(field, value, detail)]
}

/** The object with defaults for members that are absent, null, or zero as Go clients send them. */
export function withDefaults(
  object: JsonObject,
  defaults: Readonly<Record<string, number>>,
  { replacesZero }: { replacesZero: boolean },
): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => {
    const value = object[name] ?? null
    return value === null || (replacesZero && value === 0)
  })
  return { ...object, ...Object.fromEntries(missing) }
}
