import { invalidValue } from '../errors/field-errors.ts'
import { objectInvalid } from '../errors/failures.ts'
import type { ObjectPatch, Requester, WriteOptions } from '../model/object-operations.ts'
import { duplicateFields } from '../schemas/duplicate-fields.ts'

/** Reports duplicate fields of a patch: 422 if they are errors, otherwise a warning for each. */
export function reportDuplicates(
  { text, type }: Pick<ObjectPatch, 'text' | 'type'>,
  { fieldValidation = 'Warn' }: WriteOptions,
  { warn }: Pick<Requester, 'warn'>,
): void {
  if (text === undefined || fieldValidation === 'Ignore') return
  const prefix = type === 'json' ? 'json patch ' : ''
  const problems = duplicateFields(text).map((field) => `${prefix}duplicate field "${field}"`)
  if (problems.length === 0) return
  if (fieldValidation === 'Warn') {
    for (const problem of problems) warn(problem)
    return
  }
  const detail = `strict decoding error: ${problems.join(', ')}`
  throw objectInvalid({ group: '', kind: '' }, '', [invalidValue('patch', text, detail)])
}
