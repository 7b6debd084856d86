import type { ApiObject } from '../../model/api-object.ts'
import { decodeInput } from '../../schemas/decode-input.ts'
import { requireNoRejectedFields } from './require-no-rejected-fields.ts'
import { versionOf } from '../versioned-object.ts'
import type { WriteRequest } from '../write-request.ts'

/** Drops unknown fields, with the warnings or errors that the request asks for, and sets defaults. */
export function processInput(
  input: ApiObject,
  { requester, target, options }: WriteRequest,
): Promise<ApiObject> {
  const { fieldValidation = 'Warn', text, duplicateKeys = [] } = options
  requireNoRejectedFields(input, target)
  return decodeInput(input, {
    schema: versionOf(target.type, target.version).schema,
    fieldValidation,
    duplicateKeys,
    warn: requester.warn,
    ...(text !== undefined && { text }),
  })
}
