import { invalidValue } from '../errors/field-errors.ts'
import { badRequest, objectInvalid } from '../errors/failures.ts'
import type { ObjectPatch, Requester, WriteOptions } from '../model/object-operations.ts'
import { duplicateFields } from '../schemas/duplicate-fields.ts'

type Body = Pick<ObjectPatch, 'text' | 'type' | 'duplicateKeys'>

/** Reports duplicate fields of a patch: 422 or 400 if they are errors, otherwise a warning for each. */
export function reportDuplicates(
  { text, type, duplicateKeys = [] }: Body,
  { fieldValidation = 'Warn' }: WriteOptions,
  { warn }: Pick<Requester, 'warn'>,
): void {
  if (fieldValidation === 'Ignore') return
  const prefix = type === 'json' ? 'json patch ' : ''
  const fields = text === undefined ? [] : duplicateFields(text)
  const problems = [
    ...duplicateKeys,
    ...fields.map((field) => `${prefix}duplicate field "${field}"`),
  ]
  if (problems.length === 0) return
  if (fieldValidation === 'Warn') {
    for (const problem of problems) warn(problem)
    return
  }
  if (type === 'apply') throw badRequest(`error strict decoding YAML: ${problems.join(', ')}`)
  const detail = `strict decoding error: ${problems.join(', ')}`
  throw objectInvalid({ group: '', kind: '' }, '', [invalidValue('patch', text ?? '', detail)])
}
