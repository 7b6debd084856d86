import { isDeepStrictEqual } from 'node:util'
import { forbiddenValue } from '../../errors/field-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'

const MESSAGE = 'field is immutable when `immutable` is set'

/** The violations of an update of an object whose data must not change. */
export function immutableDataErrors(
  object: ApiObject,
  old: ApiObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (old['immutable'] !== true) return []
  const changed = fields.filter(
    (field) => !isDeepStrictEqual(object[field] ?? {}, old[field] ?? {}),
  )
  return [...(object['immutable'] === true ? [] : ['immutable']), ...changed].map((field) =>
    forbiddenValue(field, MESSAGE),
  )
}
