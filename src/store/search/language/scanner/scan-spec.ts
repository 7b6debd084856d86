import { DOT, DOUBLE_QUOTE, isSpecKeyPart, SLASH, skip } from './characters.ts'
import { scanQuoted } from './scan-quoted.ts'
import type { Token } from './token.ts'

interface Key {
  readonly value: string
  readonly end: number
  /** The description and hint of an invalid token, or null if there is a key. */
  readonly defect: { readonly what: string | null; readonly hint: string } | null
}

const NO_KEY: Key['defect'] = {
  what: null,
  hint: 'write spec.<key>.<key>; quote a key with odd dots or characters: spec."my key"',
}

/** Scans the path into the spec that begins at `start`; its first key begins at `from`. */
export function scanSpec(text: string, start: number, from: number): Token {
  const path: string[] = []
  let at = from
  for (;;) {
    const { value, end, defect } = scanKey(text, at)
    if (defect !== null) return { type: 'invalid', ...defect, start, end }
    path.push(value)
    if (text.charCodeAt(end) !== DOT) return { type: 'spec', path, start, end }
    at = end + 1
  }
}

function scanKey(text: string, start: number): Key {
  if (text.charCodeAt(start) === DOUBLE_QUOTE) return scanQuoted(text, start)
  const end = skip(text, start, isSpecKeyPart)
  if (text.charCodeAt(end) === SLASH) return { value: '', end: end + 1, defect: NO_KEY }
  return { value: text.slice(start, end), end, defect: end === start ? NO_KEY : null }
}

/** Whether the key can follow a dot without quotes. */
export function isBareSpecKey(key: string): boolean {
  return key !== '' && skip(key, 0, isSpecKeyPart) === key.length
}
