import type { JsonValue } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import {
  type Check,
  type Compile,
  endAlternative,
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
    let best: readonly FieldError[] | null = null
    for (const check of checks) {
      const errors = errorsOf(check, value, path, run)
      if (errors.length === 0) return
      if (best === null || errors.length < best.length) best = errors
    }
    report(run, violation(`"${path}" must validate at least one schema (anyOf)`))
    for (const error of best ?? []) report(run, error)
  }
}

function oneOfCheck(checks: readonly Check[]): Check {
  return (value, _old, path, run) => {
    const results = checks.map((check) => errorsOf(check, value, path, run))
    const valid = results.filter((errors) => errors.length === 0).length
    if (valid === 1) return
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
    report(run, violation(`"${path}" must validate one and only one schema (oneOf). ${found}`))
    if (valid > 0) return
    const best = results.reduce((one, other) => (other.length < one.length ? other : one))
    for (const error of best) report(run, error)
  }
}

function allOfCheck(checks: readonly Check[]): Check {
  return (value, _old, path, run) => {
    const results = checks.map((check) => errorsOf(check, value, path, run))
    const failed = results.filter((errors) => errors.length > 0)
    if (failed.length === 0) return
    for (const error of failed.flat()) report(run, error)
    const none = failed.length === checks.length ? '. None validated' : ''
    report(run, violation(`"${path}" must validate all the schemas (allOf)${none}`))
  }
}

function notCheck(check: Check): Check {
  return (value, _old, path, run) => {
    if (errorsOf(check, value, path, run).length > 0) return
    report(run, violation(`"${path}" must not validate the schema (not)`))
  }
}

function errorsOf(
  check: Check,
  value: JsonValue,
  path: string,
  run: ValidationRun,
): readonly FieldError[] {
  const alternative = startAlternative(run)
  check(value, undefined, path, alternative)
  endAlternative(run, alternative)
  return alternative.errors
}

function violation(detail: string): FieldError {
  return invalidValue(NO_FIELD, '', detail)
}
