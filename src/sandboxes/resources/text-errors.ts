import type { JsonValue } from 'flotilla'
import { type FieldError, invalidValue, requiredValue } from 'flotilla/planes'
import { pathProblem } from '../model/backends/path-problem.ts'

/** The violation of a text that must not be empty. */
export function emptyErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  return value === '' ? [requiredValue(field)] : []
}

/** The violation of a path that leaves its directory. */
export function pathErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  if (typeof value !== 'string') return []
  const problem = pathProblem(value)
  return problem === null ? [] : [invalidValue(field, value, problem)]
}
