/** A token of a search. */
export interface SearchToken {
  readonly kind: 'field' | 'keyword' | 'text' | 'number' | 'operator' | 'bracket' | 'unknown'
  readonly text: string
  /** Offsets in the search, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

const KEYWORDS: ReadonlySet<string> = new Set(
  'and or not in between like ilike is null true false'.split(' '),
)

const PATTERNS: readonly { readonly kind: SearchToken['kind']; readonly pattern: RegExp }[] = [
  { kind: 'text', pattern: /'(?:[^']|'')*'?|(["`])(?:\\.|(?!\1)[^\\])*\1?/y },
  { kind: 'number', pattern: /[+-]?\d[\w.:+-]*(?![\w./"])/y },
  { kind: 'field', pattern: /(?:[\w./-]|"(?:[^"]|"")*"?)+/y },
  { kind: 'operator', pattern: /<=|>=|<>|!=|==|=|<|>/y },
  { kind: 'bracket', pattern: /[()[\],]/y },
]

/** Whether a text lacks its closing quote. */
export function isOpen({ kind, text }: SearchToken): boolean {
  return kind === 'text' && (text.length === 1 || !text.endsWith(text.charAt(0)))
}

/**
 * Splits a search into tokens for colours and completion. It accepts unfinished and wrong text: the
 * server alone validates it.
 */
export function searchTokens(search: string): readonly SearchToken[] {
  const tokens: SearchToken[] = []
  for (let start = 0; start < search.length;) {
    if (/\s/.test(search.charAt(start))) {
      start += 1
      continue
    }
    const token = tokenAt(search, start)
    tokens.push(token)
    start = token.end
  }
  return tokens
}

function tokenAt(search: string, start: number): SearchToken {
  for (const { kind, pattern } of PATTERNS) {
    pattern.lastIndex = start
    const text = pattern.exec(search)?.[0]
    if (text === undefined) continue
    const isKeyword = kind === 'field' && KEYWORDS.has(text.toLowerCase())
    return { kind: isKeyword ? 'keyword' : kind, text, start, end: start + text.length }
  }
  return { kind: 'unknown', text: search.charAt(start), start, end: start + 1 }
}
