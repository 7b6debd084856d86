import type { JsonValue } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import {
  type Check,
  type Compile,
  keepLoop,
  pausedLoop,
  pauseIfLong,
  report,
  startAlternative,
  type ValidationRun,
} from './validation-run.ts'

/** Kubernetes attributes these violations to no field. */
const NO_FIELD = '<nil>'

/** Checks allOf, anyOf, oneOf and not. */
export function compileJunctorChecks(schema: Schema, compile: Compile): readonly Check[] {
  const checks: Check[] = []
  const { anyOf, oneOf, allOf, not } = schema
  if (anyOf && anyOf.length > 0) checks.push(anyOfCheck(anyOf.map(compile)))
  if (oneOf && oneOf.length > 0) checks.push(oneOfCheck(oneOf.map(compile)))
  if (allOf && allOf.length > 0) checks.push(allOfCheck(allOf.map(compile)))
  if (not) checks.push(notCheck(compile(not)))
  return checks
}

function anyOfCheck(checks: readonly Check[]): Check {
  return (value, _old, path, run) => {
    const results = errorsOf(checks, value, { path, run, untilValid: true })
    if (results.at(-1)?.length === 0) return
    report(run, violation(`"${path}" must validate at least one schema (anyOf)`))
    for (const error of fewest(results)) report(run, error)
  }
}

function oneOfCheck(checks: readonly Check[]): Check {
  return (value, _old, path, run) => {
    const results = errorsOf(checks, value, { path, run })
    const valid = results.filter((errors) => errors.length === 0).length
    if (valid === 1) return
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
    report(run, violation(`"${path}" must validate one and only one schema (oneOf). ${found}`))
    if (valid > 0) return
    for (const error of fewest(results)) report(run, error)
  }
}

function allOfCheck(checks: readonly Check[]): Check {
  return (value, _old, path, run) => {
    const results = errorsOf(checks, value, { path, run })
    const failed = results.filter((errors) => errors.length > 0)
    if (failed.length === 0) return
    for (const error of failed.flat()) report(run, error)
    const none = failed.length === checks.length ? '. None validated' : ''
    report(run, violation(`"${path}" must validate all the schemas (allOf)${none}`))
  }
}

function notCheck(check: Check): Check {
  return (value, _old, path, run) => {
    const [errors = []] = errorsOf([check], value, { path, run })
    if (errors.length > 0) return
    report(run, violation(`"${path}" must not validate the schema (not)`))
  }
}

interface Alternatives {
  readonly path: string
  readonly run: ValidationRun
  /** Whether the first alternative without violations is the last one. */
  readonly untilValid?: boolean
}

/** The violations of each alternative. */
function errorsOf(
  checks: readonly Check[],
  value: JsonValue,
  { path, run, untilValid = false }: Alternatives,
): readonly (readonly FieldError[])[] {
  const paused = pausedLoop(run)
  const results = paused?.results ?? []
  let alternative = startAlternative(run, paused?.errors)
  let next = paused?.next ?? 0
  try {
    for (; next < checks.length; next += 1) {
      pauseIfLong(run)
      checks[next]?.(value, undefined, path, alternative)
      results.push(alternative.errors)
      if (untilValid && alternative.errors.length === 0) break
      alternative = startAlternative(run)
    }
  } catch (error) {
    throw keepLoop(error, run, { next, results, errors: alternative.errors })
  }
  return results
}

function fewest(results: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return results.reduce((one, other) => (other.length < one.length ? other : one))
}

function violation(detail: string): FieldError {
  return invalidValue(NO_FIELD, '', detail)
}
