import { QUOTE, isBlank, isDigit, isNameStart, isSign, skip } from './characters.ts'
import { scanName } from './scan-name.ts'
import { scanNumber } from './scan-number.ts'
import { scanString } from './scan-quoted.ts'
import { scanSign } from './scan-symbol.ts'
import type { Token } from './token.ts'

/** The token at or behind `from`, blanks skipped. Pure: the next one starts at this one's end. */
export function scan(text: string, from: number): Token {
  const start = skip(text, from, isBlank)
  if (start >= text.length) return { type: 'end', start: text.length, end: text.length }
  const unit = text.charCodeAt(start)
  if (isNameStart(unit)) return scanName(text, start)
  if (unit === QUOTE) return scanString(text, start)
  if (isDigit(unit) || isSign(unit)) return scanNumber(text, start)
  return scanSign(text, start)
}
