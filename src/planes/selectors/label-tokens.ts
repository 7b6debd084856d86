type Symbol = ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '('

/** A token of a label selector. `in` and `notin` are words: they may also be keys and values. */
export type LabelToken =
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'symbol'; readonly text: Symbol }
  | { readonly type: 'end'; readonly text: '' }

const SPACES = ' \t\r\n'
const SINGLE: Readonly<Record<string, Symbol>> = {
  ')': ')',
  ',': ',',
  '!': '!',
  '=': '=',
  '>': '>',
  '<': '<',
  '(': '(',
}

/** Splits a label selector into tokens. The last one is `end`. */
export function labelTokens(selector: string): readonly LabelToken[] {
  const tokens: LabelToken[] = []
  let position = 0
  while (position < selector.length) {
    const character = selector.charAt(position)
    if (SPACES.includes(character)) {
      position += 1
      continue
    }
    const token = symbolAt(selector, position) ?? wordAt(selector, position)
    tokens.push(token)
    position += token.text.length
  }
  return [...tokens, { type: 'end', text: '' }]
}

function symbolAt(selector: string, position: number): LabelToken | null {
  if (selector.startsWith('==', position)) return { type: 'symbol', text: '==' }
  if (selector.startsWith('!=', position)) return { type: 'symbol', text: '!=' }
  const text = singleSymbol(selector.charAt(position))
  return text === null ? null : { type: 'symbol', text }
}

function singleSymbol(character: string): Symbol | null {
  return Object.hasOwn(SINGLE, character) ? (SINGLE[character] ?? null) : null
}

function wordAt(selector: string, position: number): LabelToken {
  let end = position
  while (end < selector.length) {
    const character = selector.charAt(end)
    if (SPACES.includes(character) || singleSymbol(character) !== null) break
    end += 1
  }
  return { type: 'word', text: selector.slice(position, end) }
}
