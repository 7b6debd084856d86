import type { LinearPattern } from '../../../lib/cel/functions/linear-pattern.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'

/** The most errors that a validation reports. */
export const MAX_FIELD_ERRORS = 100
/** The most checks of a validation. A large object of an ordinary schema takes under a million. */
const MAX_CHECKS = 5_000_000
/** The most steps of all patterns together. */
const MAX_PATTERN_STEPS = 50_000_000
/** The most steps of one test, which cannot pause: 50 ms for a pattern with many states. */
const MAX_TEST_STEPS = 4_000_000
/** The steps of patterns after which a validation pauses: 13 ms for patterns with many states. */
const STEPS_PER_SLICE = 1_000_000
/** The steps that take as long as the repetition of a check. */
const STEPS_PER_CHECK = 30

/** The tests of patterns of a validation, in their order, which every pass repeats. */
interface PatternTests {
  readonly results: boolean[]
  /** The number of the next test of this pass. */
  next: number
  /** The steps of tests that this pass was the first to make. */
  steps: number
}

/** The state of one validation. */
export interface ValidationRun {
  readonly errors: FieldError[]
  checks: number
  patternSteps: number
  readonly tests: PatternTests
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

/** The validation has used up its slice. A further pass, with the results so far, continues it. */
export class ValidationPause extends Error {
  override readonly name = 'ValidationPause'
}

/** Starts a pass of a validation with the results of the passes before. */
export function startRun(results: boolean[]): ValidationRun {
  return { errors: [], checks: 0, patternSteps: 0, tests: { results, next: 0, steps: 0 } }
}

/** Starts a validation of an alternative, which shares the limits of the run. */
export function startAlternative(run: ValidationRun): ValidationRun {
  return { ...run, errors: [] }
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

/**
 * Whether a pattern matches. Throws a ValidationLimitError if the patterns take too many steps, and a
 * ValidationPause if the slice is used up: it is larger if a pass repeats many checks.
 */
export function isMatch(pattern: LinearPattern, text: string, run: ValidationRun): boolean {
  const { tests } = run
  const steps = pattern.stepsFor(text.length)
  run.patternSteps += steps
  if (steps > MAX_TEST_STEPS || run.patternSteps > MAX_PATTERN_STEPS) {
    throw new ValidationLimitError('the patterns take too many steps')
  }
  const known = tests.results[tests.next]
  tests.next += 1
  if (known !== undefined) return known
  const slice = Math.max(STEPS_PER_SLICE, STEPS_PER_CHECK * run.checks)
  if (tests.steps > 0 && tests.steps + steps > slice) throw new ValidationPause()
  tests.steps += steps
  const result = pattern.test(text)
  tests.results.push(result)
  return result
}

/** The path of a member. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
