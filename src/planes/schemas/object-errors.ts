import { type Steps, stepsInTurns } from '../../lib/async/steps.ts'
import { invalidValue } from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'
import type { Schema } from '../model/schema.ts'
import { embeddedResourceErrors } from './embedded-resources.ts'
import { listTypeErrors } from './list-types.ts'
import { hasRules, ruleErrors } from './rules/rule-errors.ts'
import { validationSteps } from './validate-object.ts'

/** Errors after which rules could fail for the same reason, or take too long. */
const BLOCKING: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

/**
 * The violations of an object's schema after admission: types, bounds, list types, embedded
 * resources and CEL rules. `old` is null for creations. Violations in parts that an update does not
 * change are ignored.
 */
export async function objectErrors(
  object: ApiObject,
  old: ApiObject | null,
  schema: Schema,
): Promise<readonly FieldError[]> {
  const options = old === null ? {} : { oldValue: old }
  const errors = [
    ...(await stepsInTurns(validationSteps(object, schema, options))),
    ...embeddedResourceErrors(object, schema),
    ...(await stepsInTurns(changedListErrors(object, old, schema))),
  ]
  if (!hasRules(schema)) return errors
  if (!errors.some(({ reason }) => BLOCKING.has(reason))) {
    return [...errors, ...(await ruleErrors(object, old, schema))]
  }
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  return [...errors, invalidValue('<nil>', null, detail)]
}

/** Duplicates that the stored object already has do not block updates. */
function* changedListErrors(
  object: ApiObject,
  old: ApiObject | null,
  schema: Schema,
): Steps<readonly FieldError[]> {
  const errors = yield* listTypeErrors(object, schema)
  if (errors.length === 0 || old === null) return errors
  return (yield* listTypeErrors(old, schema)).length > 0 ? [] : errors
}
