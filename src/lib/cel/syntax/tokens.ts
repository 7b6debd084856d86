import { CelSyntaxError } from '../cel-error.ts'
import { errorAt } from './error-at.ts'

export interface Token {
  readonly kind: 'identifier' | 'quoted' | 'int' | 'uint' | 'double' | 'string' | 'symbol' | 'end'
  readonly text: string
  readonly at: number
}

const SPACE = /(?:[\t\n\f\r ]+|\/\/[^\n]*)+/y

/** Matched in order. */
const PATTERNS: readonly (readonly [Token['kind'], RegExp])[] = [
  [
    'string',
    /(?:[bB]?[rR]|[rR][bB])(?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')|[bB]?(?:"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n\r]|\\[^\n\r])*"|'(?:[^'\\\n\r]|\\[^\n\r])*')/y,
  ],
  ['double', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['identifier', /[_a-zA-Z][_a-zA-Z0-9]*/y],
  ['quoted', /`[a-zA-Z0-9_.\-/ ]+`/y],
  ['symbol', /==|!=|<=|>=|&&|\|\||[[\]{}().,:?<>!+\-*/%]/y],
]

/** Splits a text into tokens; the last one is the end. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const token = tokenAt(text, at)
    tokens.push(token)
    at = skipSpace(text, at + token.text.length)
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at: text.length }]
}

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { kind, text: found, at }
  }
  const shown = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))
  throw new CelSyntaxError(errorAt(text, at, `Syntax error: token recognition error at: ${shown}`))
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  return SPACE.test(text) ? SPACE.lastIndex : at
}
