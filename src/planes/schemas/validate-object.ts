import { allSteps, type Steps } from '../../lib/async/steps.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { invalidValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import type { Schema } from '../model/schema.ts'
import { compileValidator } from './validation/compile-validator.ts'
import { startRun, ValidationLimitError, ValidationPause } from './validation/validation-run.ts'

interface Options {
  /** The value before an update: violations of unchanged parts do not count. */
  readonly oldValue?: JsonValue
}

/** The violations of a schema, with the wording of Kubernetes, in one turn of the event loop. */
export function validateAgainstSchema(
  value: JsonValue,
  schema: Schema,
  options: Options = {},
): readonly FieldError[] {
  return allSteps(validationSteps(value, schema, options))
}

/** The same in steps, because large values can take long. */
export function* validationSteps(
  value: JsonValue,
  schema: Schema,
  { oldValue }: Options = {},
): Steps<readonly FieldError[]> {
  const errors = yield* violations(value, schema, undefined)
  // The first pass is faster, because it compares nothing with the old value.
  return errors.length === 0 || oldValue === undefined
    ? errors
    : yield* violations(value, schema, oldValue)
}

function* violations(
  value: JsonValue,
  schema: Schema,
  old: JsonValue | undefined,
): Steps<readonly FieldError[]> {
  const check = compileValidator(schema)
  const run = startRun()
  for (;;) {
    try {
      check(value, old, '', run)
      return run.errors
    } catch (error) {
      if (error instanceof ValidationLimitError) {
        return [...run.errors, invalidValue('', '', error.message)]
      }
      if (!(error instanceof ValidationPause)) throw error
    }
    yield
  }
}
