import { FlotillaError } from '../../../lib/errors.ts'
import type { Span } from './span.ts'

const MAX_VALUE_LENGTH = 100
const MAX_PIECE_LENGTH = 60

/** The text, or its beginning and an ellipsis. Never splits a surrogate pair. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text
  const all = Array.from(text)
  return all.length <= characters ? text : `${all.slice(0, characters).join('')}…`
}

/** A part of the search, shortened for a message. */
export function shortPiece(piece: string): string {
  return shorten(piece, MAX_PIECE_LENGTH)
}

/** The error for an invalid search; `piece` is the text that `span` covers. */
export function searchError(message: string, piece: string, span: Span): FlotillaError {
  const violation = {
    field: 'search',
    message,
    value: shorten(piece, MAX_VALUE_LENGTH),
    position: span.start,
    length: span.end - span.start,
  }
  return new FlotillaError('invalid-search', `search: ${message}`, { causes: [violation] })
}
