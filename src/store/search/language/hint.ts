import { NO_BACKSLASH_ESCAPE } from './scanner/scan-quoted.ts'
import { NO_ARITHMETIC } from './scanner/scan-number.ts'
import type { Token } from './scanner/token.ts'

/** The state of the parser when it finds an unexpected token. */
export type ParserState =
  | 'comparison'
  | 'operator'
  | 'negated'
  | 'value'
  | 'item'
  | 'connective'
  | 'list'

const QUOTE_VALUES = "quote text with '"
const USE_LIKE = "for parts of a text use 'like' with %"
const TEXT_SEARCHES: ReadonlySet<string> = new Set(['contains', 'starts', 'ends', 'matches'])

/** A suggestion for an unexpected token, or null if the intention is unclear. */
export function hintFor(state: ParserState, found: Token, before: Token | null): string | null {
  if (escapedQuote(found, before)) return NO_BACKSLASH_ESCAPE
  if (state === 'connective' && before?.type === 'name' && before.end === found.start) {
    return QUOTE_VALUES
  }
  if (found.type === 'invalid') return found.hint
  switch (state) {
    case 'comparison':
      return hintForComparison(found)
    case 'operator':
      return hintForOperator(found, before)
    case 'negated':
      return isNull(found) ? "write 'is not null'" : null
    case 'value':
      return hintForValue(found)
    case 'item':
      return hintForItem(found, before)
    case 'connective':
    case 'list':
      return hintForConnective(found, before)
  }
}

/** `'it\'s'` is scanned as the text `it\` and more tokens, `'it\'' or a='b'` as one longer text. */
function escapedQuote(found: Token, before: Token | null): boolean {
  if (before?.type !== 'string' || found.start !== before.end) return false
  return before.value.endsWith('\\') || before.value.includes("\\'")
}

function isNull(token: Token): boolean {
  return token.type === 'keyword' && token.keyword === 'null'
}

function endsComparison(token: Token): boolean {
  switch (token.type) {
    case 'end':
      return true
    case 'keyword':
      return token.keyword === 'and' || token.keyword === 'or'
    case 'mark':
      return token.mark === ')'
    default:
      return false
  }
}

function isField({ type }: Token): boolean {
  return type === 'name' || type === 'label' || type === 'spec'
}

function hintForComparison(found: Token): string | null {
  if (found.type === 'keyword') return 'a keyword is a field only after a dot'
  if (found.type === 'mark' && found.mark === '[') return 'write fields without brackets'
  return null
}

function hintForOperator(found: Token, before: Token | null): string | null {
  if (found.type === 'number') return NO_ARITHMETIC
  if (isNull(found)) return "write 'is null'"
  if (before?.type === 'spec' && endsComparison(found)) return "write '= true' after a boolean"
  if (found.type === 'name') return TEXT_SEARCHES.has(found.name) ? USE_LIKE : null
  if (found.type !== 'mark') return null
  if (found.mark === '(') return 'functions are not supported'
  if (found.mark !== '[') return null
  return before?.type === 'spec'
    ? 'write spec.<key>.0 for the first item of a list'
    : 'write labels.<key>, or labels."my key"'
}

function hintForValue(found: Token): string | null {
  if (isNull(found)) return "write 'is null' or 'is not null'"
  if (isField(found)) return QUOTE_VALUES
  return found.type === 'mark' ? "only 'in' takes a list" : null
}

function hintForItem(found: Token, before: Token | null): string | null {
  if (found.type !== 'mark') return null
  if (found.mark === '(' || found.mark === '[') return 'lists do not nest'
  const trailing = before?.type === 'mark' && before.mark === ','
  return trailing ? 'remove the comma before the end of the list' : null
}

function hintForConnective(found: Token, before: Token | null): string | null {
  if (found.type === 'operator')
    return "compare one field with one value; for a range use 'between'"
  if (found.type === 'mark' && found.mark === ',') return "several values need 'in (...)'"
  if (found.type !== 'number') return null
  const adjacent = before?.type === 'number' && before.end === found.start
  return adjacent ? "quote dates and times with '" : NO_ARITHMETIC
}
