import type { Steps } from '../../../lib/async/steps.ts'
import type { LinearPattern } from '../../../lib/cel/functions/linear-pattern.ts'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
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
/** The steps after which a validation pauses: 6 ms for patterns with many states. */
const STEPS_PER_SLICE = 500_000
/** The steps of patterns that take as long as a check. */
const STEPS_PER_CHECK = 30

/** The items of a list before an update, while they are collected and afterwards. */
export interface OldItems {
  readonly steps: Steps<ReadonlyMap<string, JsonObject>>
  /** Null until the steps are done. */
  byKey: ReadonlyMap<string, JsonObject> | null
}

/** The state of a loop that a pause has interrupted. */
interface PausedLoop {
  /** The number of the round that continues. */
  readonly next: number
  /** The violations of alternatives: those of the rounds before, and of this one so far. */
  readonly results?: (readonly FieldError[])[]
  readonly errors?: FieldError[]
  /** Values that the loop derived from all items, kept so that no pause derives them again. */
  readonly names?: readonly string[]
  readonly texts?: Set<string>
  readonly oldItems?: OldItems
}

/** The steps of a validation, which all its alternatives share. */
interface Meter {
  checks: number
  patternSteps: number
  /** The number of steps at which the validation pauses. */
  pauseAt: number
  /** The loops that a pause has interrupted, the innermost first. */
  readonly paused: PausedLoop[]
}

/** The state of one validation. */
export interface ValidationRun {
  readonly errors: FieldError[]
  readonly meter: Meter
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

/** The validation has used up its slice. The same check, with the same run, continues it. */
export class ValidationPause extends Error {
  override readonly name = 'ValidationPause'
}

/** Starts a validation. */
export function startRun(): ValidationRun {
  return {
    errors: [],
    meter: { checks: 0, patternSteps: 0, pauseAt: STEPS_PER_SLICE, paused: [] },
  }
}

/** Starts a validation of an alternative, which shares the limits of the run. */
export function startAlternative(
  { meter }: ValidationRun,
  errors: FieldError[] = [],
): ValidationRun {
  return { errors, meter }
}

/** Begins a round of a loop: throws a ValidationPause if the slice is used up, and allows the next slice. */
export function pauseIfLong({ meter }: ValidationRun): void {
  const steps = meter.patternSteps + STEPS_PER_CHECK * meter.checks
  if (steps < meter.pauseAt) return
  meter.pauseAt = steps + STEPS_PER_SLICE
  pause()
}

/** Ends the current slice. */
export function pause(): never {
  throw new ValidationPause()
}

/** The state of the loop that begins, if a pause has interrupted it. */
export function pausedLoop({ meter: { paused } }: ValidationRun): PausedLoop | undefined {
  return paused.length === 0 ? undefined : paused.pop()
}

/** Keeps the state of a loop that an error leaves if the error is a pause. Returns the error. */
export function keepLoop(error: unknown, { meter }: ValidationRun, state: PausedLoop): unknown {
  if (error instanceof ValidationPause) meter.paused.push(state)
  return error
}

/** Adds an error unless the run has enough of them. */
export function report(run: ValidationRun, error: FieldError): void {
  if (run.errors.length < MAX_FIELD_ERRORS) run.errors.push(error)
}

/** Charges checks to the run; throws a ValidationLimitError if there are too many. */
export function countChecks({ meter }: ValidationRun, count: number): void {
  meter.checks += count
  if (meter.checks > MAX_CHECKS)
    throw new ValidationLimitError('the validation takes too many steps')
}

/** Charges a check for each part of a value. */
export function countParts(value: JsonValue, run: ValidationRun): void {
  countChecks(run, 1)
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) countParts(part, run)
}

/** Whether a pattern matches. Throws a ValidationLimitError if the patterns take too many steps. */
export function isMatch(pattern: LinearPattern, text: string, { meter }: ValidationRun): boolean {
  const steps = pattern.stepsFor(text.length)
  meter.patternSteps += steps
  if (steps > MAX_TEST_STEPS || meter.patternSteps > MAX_PATTERN_STEPS) {
    throw new ValidationLimitError('the patterns take too many steps')
  }
  return pattern.test(text)
}

/** The path of a member. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
