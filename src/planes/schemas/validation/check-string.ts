import { invalidType, invalidValue, tooLong } from '../../errors/field-errors.ts'
import { compileLinearPattern } from '../../../lib/cel/functions/linear-pattern.ts'
import type { Schema } from '../../model/schema.ts'
import { formatCheck } from '../formats.ts'
import { type Check, isMatch, report } from './validation-run.ts'

/** Checks the length, pattern and format of strings. Null if the schema has no such rule. */
export function compileStringCheck(schema: Schema): Check | null {
  const { minLength, maxLength, pattern, format } = schema
  const hasFormat = format === undefined ? null : formatCheck(format)
  const matcher = pattern === undefined || pattern === '' ? null : compileLinearPattern(pattern)
  if (minLength === undefined && maxLength === undefined && !matcher && !hasFormat) return null
  return (value, old, path, run) => {
    // Its violations do not count, and its length may exceed the limit of patterns.
    if (typeof value !== 'string' || value === old) return
    if (maxLength !== undefined && isLonger(value, maxLength)) {
      report(run, tooLong(path, maxLength))
      return
    }
    if (minLength !== undefined && minLength > 0 && !isLonger(value, minLength - 1)) {
      const detail = `${path} in body should be at least ${minLength} chars long`
      report(run, invalidValue(path, value, detail))
    } else if (matcher && !isMatch(matcher, value, run)) {
      report(run, invalidValue(path, value, `${path} in body should match '${pattern}'`))
    }
    if (hasFormat && !hasFormat(value)) {
      const shown = JSON.stringify(value.slice(0, 256))
      report(run, invalidType(path, value, `${path} in body must be of type ${format}: ${shown}`))
    }
  }
}

/** Whether the text has more characters (code points). */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  let count = 0
  for (const _character of text) count += 1
  return count > max
}
