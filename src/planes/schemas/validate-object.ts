import type { JsonValue } from '../../lib/json/json.ts'
import { invalidValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import type { Schema } from '../model/schema.ts'
import { compileValidator } from './validation/compile-validator.ts'
import { startRun, ValidationLimitError } from './validation/validation-run.ts'

interface Options {
  /** The value before an update: violations of unchanged parts do not count. */
  readonly oldValue?: JsonValue
}

/** The violations of a schema, with the wording of Kubernetes. */
export function validateAgainstSchema(
  value: JsonValue,
  schema: Schema,
  { oldValue }: Options = {},
): readonly FieldError[] {
  const errors = violations(value, schema, undefined)
  // The first pass is faster, because it compares nothing with the old value.
  return errors.length === 0 || oldValue === undefined
    ? errors
    : violations(value, schema, oldValue)
}

function violations(
  value: JsonValue,
  schema: Schema,
  old: JsonValue | undefined,
): readonly FieldError[] {
  const run = startRun()
  try {
    compileValidator(schema)(value, old, '', run)
    return run.errors
  } catch (error) {
    if (!(error instanceof ValidationLimitError)) throw error
    return [...run.errors, invalidValue('', '', error.message)]
  }
}
