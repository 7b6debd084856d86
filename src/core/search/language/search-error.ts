import { FlotillaError } from '../../../lib/errors.ts'
import type { Span } from './span.ts'

const LONGEST_VALUE = 100
const LONGEST_PIECE = 60

/** The text, or its beginning and an ellipsis, never cutting a character in two. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text
  const all = Array.from(text)
  return all.length <= characters ? text : `${all.slice(0, characters).join('')}…`
}

/** A piece of the search as a message shows it. */
export function shortPiece(piece: string): string {
  return shorten(piece, LONGEST_PIECE)
}

/** The 400 of a search that cannot be understood; `piece` is the text that `span` covers. */
export function searchError(message: string, piece: string, span: Span): FlotillaError {
  const violation = {
    field: 'search',
    message,
    value: shorten(piece, LONGEST_VALUE),
    position: span.start,
    length: span.end - span.start,
  }
  return new FlotillaError('invalid-search', `search: ${message}`, { causes: [violation] })
}
