import type { Document } from 'yaml'
import type { FieldError } from '../../../../typescript/src/index.ts'
import { fieldRange } from './field-range.ts'
import type { YamlProblem } from './parse-yaml.ts'

/** Shows the errors of a response at their fields in the text. */
export function fieldProblems(
  document: Document,
  errors: readonly FieldError[],
): readonly YamlProblem[] {
  return errors.map(({ field, message }) => {
    const { from, to } = fieldRange(document, field)
    return { from, to, message, severity: 'error' }
  })
}
