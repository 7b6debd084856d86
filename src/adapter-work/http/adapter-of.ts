import type { Request } from 'express'
import { must } from '../../lib/assert.ts'
import { invalid } from '../../lib/errors.ts'
import { isStorableText } from '../../store/database/storable-text.ts'

const MAX_LENGTH = 255

/** The adapter in the path. */
export function adapterOf({ params }: Request): string {
  const adapter = String(must(params['adapter'], 'the adapter in the path'))
  if (adapter.length <= MAX_LENGTH && isStorableText(adapter)) return adapter
  const message = `adapter must have at most ${MAX_LENGTH} characters and no NUL`
  throw invalid([{ field: 'adapter', message, constraint: 'maxLength' }])
}
