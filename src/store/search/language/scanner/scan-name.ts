import { DOT, DOUBLE_QUOTE, isLabelKeyPart, isNamePart, skip } from './characters.ts'
import { scanQuoted } from './scan-quoted.ts'
import { scanSpec } from './scan-spec.ts'
import type { Keyword, Token } from './token.ts'

const WORDS: readonly Keyword[] = [
  'and',
  'or',
  'not',
  'in',
  'like',
  'ilike',
  'between',
  'is',
  'null',
  'true',
  'false',
]
const KEYWORDS = new Map<string, Keyword>(WORDS.map((word) => [word, word]))

export const NO_EMPTY_PART = 'a part of the name is empty'
const QUOTE_KEYS = 'write labels.<key>; quote a key with odd dots or characters: labels."my key"'

/** Scans the keyword, dotted name, label or spec path that begins at `start`. */
export function scanName(text: string, start: number): Token {
  let end = skip(text, start, isNamePart)
  const first = text.slice(start, end)
  const keyword = KEYWORDS.get(first.toLowerCase())
  if (keyword !== undefined) return { type: 'keyword', keyword, start, end }
  if (text.charCodeAt(end) === DOT) {
    if (first === 'labels') return scanLabel(text, start, end + 1)
    if (first === 'spec') return scanSpec(text, start, end + 1)
  }
  while (text.charCodeAt(end) === DOT) {
    const part = skip(text, end + 1, isNamePart)
    if (part === end + 1) return emptyPart(start, part, NO_EMPTY_PART)
    end = part
  }
  return { type: 'name', name: text.slice(start, end), start, end }
}

function scanLabel(text: string, start: number, from: number): Token {
  if (text.charCodeAt(from) === DOUBLE_QUOTE) {
    const { value, end, defect } = scanQuoted(text, from)
    return defect === null
      ? { type: 'label', key: value, start, end }
      : { type: 'invalid', ...defect, start, end }
  }
  const end = skip(text, from, isLabelKeyPart)
  const key = text.slice(from, end)
  if (!isBareKey(key)) return emptyPart(start, end, QUOTE_KEYS)
  return { type: 'label', key, start, end }
}

/** Whether a key of allowed characters can follow `labels.` without quotes. */
function isBareKey(key: string): boolean {
  return key !== '' && !key.startsWith('.') && !key.endsWith('.') && !key.includes('..')
}

/** Whether any key can follow `labels.` without quotes. */
export function needsNoQuotes(key: string): boolean {
  return isBareKey(key) && skip(key, 0, isLabelKeyPart) === key.length
}

function emptyPart(start: number, end: number, hint: string): Token {
  return { type: 'invalid', what: null, hint, start, end }
}
