import { invalidValue } from '../../errors/field-errors.ts'
import { compileLinearPattern, PatternError } from '../../../lib/cel/functions/linear-pattern.ts'
import type { Schema } from '../../model/schema.ts'
import type { ErrorList } from './structural-run.ts'

/** Checks that the pattern of a schema compiles. */
export function checkPattern({ pattern }: Schema, path: string, list: ErrorList): void {
  if (pattern === undefined || pattern === '') return
  try {
    compileLinearPattern(pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const detail = `must be a valid regular expression, but isn't: ${error.message}`
    list.add(invalidValue(`${path}.pattern`, pattern, detail))
  }
}
