import type { JsonValue } from '../../../lib/json/json.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'

/** The most errors that a validation reports. */
export const MAX_FIELD_ERRORS = 100
/** The most checks of a validation. A large object of an ordinary schema takes under a million. */
const MAX_CHECKS = 5_000_000
/** The most steps of all patterns together. */
const MAX_PATTERN_STEPS = 50_000_000

/** The state of one validation. */
export interface ValidationRun {
  readonly errors: FieldError[]
  checks: number
  patternSteps: number
}

/**
 * Adds the violations of a value to the run. `old` is the value before the update; undefined if
 * there is none or if violations of unchanged values also count.
 */
export type Check = (
  value: JsonValue,
  old: JsonValue | undefined,
  path: string,
  run: ValidationRun,
) => void

/** Compiles the check of a schema, or returns a compiled one. */
export type Compile = (schema: Schema) => Check

/** The validation takes too many steps. */
export class ValidationLimitError extends Error {
  override readonly name = 'ValidationLimitError'
}

/** Starts a validation. */
export function startRun(): ValidationRun {
  return { errors: [], checks: 0, patternSteps: 0 }
}

/** Starts a validation of an alternative, which shares the limits of the run. */
export function startAlternative(run: ValidationRun): ValidationRun {
  return { errors: [], checks: run.checks, patternSteps: run.patternSteps }
}

/** Continues a run with the steps that an alternative has used. */
export function endAlternative(run: ValidationRun, alternative: ValidationRun): void {
  run.checks = alternative.checks
  run.patternSteps = alternative.patternSteps
}

/** Adds an error unless the run has enough of them. */
export function report(run: ValidationRun, error: FieldError): void {
  if (run.errors.length < MAX_FIELD_ERRORS) run.errors.push(error)
}

/** Charges checks to the run; throws a ValidationLimitError if there are too many. */
export function countChecks(run: ValidationRun, count: number): void {
  run.checks += count
  if (run.checks > MAX_CHECKS) throw new ValidationLimitError('the validation takes too many steps')
}

/** Charges a check for each part of a value. */
export function countParts(value: JsonValue, run: ValidationRun): void {
  countChecks(run, 1)
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) countParts(part, run)
}

/** Charges the steps of a pattern; throws a ValidationLimitError if there are too many. */
export function countPatternSteps(run: ValidationRun, steps: number): void {
  run.patternSteps += steps
  if (run.patternSteps > MAX_PATTERN_STEPS) {
    throw new ValidationLimitError('the patterns take too many steps')
  }
}

/** The path of a member. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
