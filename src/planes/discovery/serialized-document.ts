import { createHash } from 'node:crypto'
import type { JsonValue } from '../../lib/json/json.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** A document as it is sent, with its entity tag. */
export interface SerializedDocument {
  readonly body: string
  /** With quotation marks. */
  readonly etag: string
}

/** Serializes a document and derives its entity tag from the content. */
export function serializedDocument(value: JsonValue): SerializedDocument {
  const body = jsonText(value)
  return { body, etag: `"${contentHash(body)}"` }
}

/** A hash of a content, in upper-case hexadecimal digits. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').toUpperCase()
}

/** Whether an If-None-Match header contains the entity tag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
}
