import {
  BACKTICK,
  DOUBLE_QUOTE,
  QUOTE,
  isBlank,
  isDigit,
  isNameStart,
  isSign,
  skip,
} from './characters.ts'
import { scanName } from './scan-name.ts'
import { scanEscaped } from './scan-escaped.ts'
import { scanNumber } from './scan-number.ts'
import { scanString } from './scan-quoted.ts'
import { scanSymbol } from './scan-symbol.ts'
import { scanTime } from './scan-time.ts'
import type { Token } from './token.ts'

/** Scans the first token at or after `from`, skipping blanks. The next one starts at its end. */
export function scan(text: string, from: number): Token {
  const start = skip(text, from, isBlank)
  if (start >= text.length) return { type: 'end', start: text.length, end: text.length }
  const unit = text.charCodeAt(start)
  if (isNameStart(unit)) return scanName(text, start)
  if (unit === QUOTE) return scanString(text, start)
  if (unit === DOUBLE_QUOTE || unit === BACKTICK) return scanEscaped(text, start)
  if (isDigit(unit)) return scanTime(text, start) ?? scanNumber(text, start)
  if (isSign(unit)) return scanNumber(text, start)
  return scanSymbol(text, start)
}
