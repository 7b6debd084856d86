import { isDigit, isHighSurrogate, isLowSurrogate } from './characters.ts'
import { NO_EMPTY_PART } from './scan-name.ts'
import { NO_ARITHMETIC } from './scan-number.ts'
import type { Token } from './token.ts'

const NO_COMMENTS = 'comments are not supported'
const NO_REGULAR_EXPRESSIONS = "regular expressions are not supported: use 'like' or 'ilike'"
const ONE_SEARCH = 'a search is one expression'
const NO_CASTS = 'casts are not supported'
const NO_PLACEHOLDERS = 'there are no placeholders'
const NO_SUCH_BLANK =
  'only space, tab, line feed, vertical tab, form feed and carriage return are blanks'

/** Symbols of other languages, each with a hint; longer ones precede their prefixes. */
const UNSUPPORTED: readonly (readonly [sign: string, hint: string])[] = [
  ['=>', "write '>='"],
  ['=<', "write '<='"],
  ['=!', "write '!='"],
  ['=~', NO_REGULAR_EXPRESSIONS],
  ['~=', NO_REGULAR_EXPRESSIONS],
  ['!~', NO_REGULAR_EXPRESSIONS],
  ['~', NO_REGULAR_EXPRESSIONS],
  ['&&', "write 'and'"],
  ['&', "write 'and'"],
  ['||', "write 'or'"],
  ['|', "write 'or'"],
  ['!', "write 'not'"],
  ['/*', NO_COMMENTS],
  ['#', NO_COMMENTS],
  ['*', NO_ARITHMETIC],
  ['/', NO_ARITHMETIC],
  ['%', NO_ARITHMETIC],
  [';', ONE_SEARCH],
  ['::', NO_CASTS],
  [':', "write '='"],
  ['$', NO_PLACEHOLDERS],
  ['?', NO_PLACEHOLDERS],
  ['\\', "a backslash has no meaning outside text: quote text with '"],
  ['\u{a0}', NO_SUCH_BLANK],
]

/** Scans the operator or bracket at `start`; anything else is an invalid token with a hint. */
export function scanSymbol(text: string, start: number): Token {
  const sign = text.charAt(start)
  switch (sign) {
    case '(':
    case ')':
    case '[':
    case ']':
    case ',':
      return { type: 'mark', mark: sign, start, end: start + 1 }
    case '=':
      if (isOneOf(text.charAt(start + 1), '><!~')) return scanUnsupported(text, start)
      return scanEquals(text, start)
    case '!':
      if (text.charAt(start + 1) !== '=') return scanUnsupported(text, start)
      return { type: 'operator', operator: '!=', start, end: start + 2 }
    case '<':
    case '>':
      return scanInequality(text, start)
    default:
      return scanUnsupported(text, start)
  }
}

/** `=`, or `==`, which means the same. */
function scanEquals(text: string, start: number): Token {
  const end = text.charAt(start + 1) === '=' ? start + 2 : start + 1
  return { type: 'operator', operator: '=', start, end }
}

function isOneOf(character: string, characters: string): boolean {
  return character !== '' && characters.includes(character)
}

function scanInequality(text: string, start: number): Token {
  const less = text.charAt(start) === '<'
  const next = text.charAt(start + 1)
  if (next === '=') return { type: 'operator', operator: less ? '<=' : '>=', start, end: start + 2 }
  if (less && next === '>') return { type: 'operator', operator: '!=', start, end: start + 2 }
  return { type: 'operator', operator: less ? '<' : '>', start, end: start + 1 }
}

function scanUnsupported(text: string, start: number): Token {
  if (text.charAt(start) === '.') return scanDot(text, start)
  for (const [sign, hint] of UNSUPPORTED) {
    if (text.startsWith(sign, start)) {
      const end = start + sign.length
      return { type: 'invalid', what: nameOf(text, start, end), hint, start, end }
    }
  }
  const unit = text.charCodeAt(start)
  const pair = isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(start + 1))
  const end = start + (pair ? 2 : 1)
  return { type: 'invalid', what: nameOf(text, start, end), hint: null, start, end }
}

function scanDot(text: string, start: number): Token {
  const number = isDigit(text.charCodeAt(start + 1))
  const hint = number ? 'write 0 before the dot' : NO_EMPTY_PART
  return { type: 'invalid', what: null, hint, start, end: start + 1 }
}

/** U+XXXX for a character that is invisible in a message, otherwise null. */
function nameOf(text: string, start: number, end: number): string | null {
  const unit = text.charCodeAt(start)
  const visible = end - start > 1 || (unit > 0x20 && unit < 0x7f) || isLetterBeyondAscii(unit)
  return visible ? null : `U+${unit.toString(16).toUpperCase().padStart(4, '0')}`
}

function isLetterBeyondAscii(unit: number): boolean {
  return unit > 0xbf && unit < 0x2000
}
