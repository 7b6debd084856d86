import { shorten } from './search-error.ts'
import type { Token } from './token.ts'

const LONGEST_PIECE = 40

/** What stands in the text there, in words for a message. */
export function describe(text: string, token: Token): string {
  if (token.type === 'end') return 'end of text'
  if (token.type === 'invalid' && token.what !== null) return token.what
  const piece = shorten(text.slice(token.start, token.end), LONGEST_PIECE)
  return piece.startsWith("'") || piece.startsWith('"') ? piece : `'${piece}'`
}
