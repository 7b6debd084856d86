import { createHash } from 'node:crypto'
import type { JsonValue } from '../../lib/json/json.ts'
import { canonicalText } from '../../planes/schemas/canonical-text.ts'

/** A hash of the content of members that is the same for equal JSON values. */
export function contentHash(content: JsonValue): string {
  return createHash('sha256').update(canonicalText(content)).digest('hex')
}
