import { unreachable } from '../../lib/assert.ts'
import { allSteps, endsStep, type Steps } from '../async/steps.ts'

type Punctuation = '{' | '}' | '[' | ']' | ':' | ','

/** A token of JSON without its context. `word` is true, false or null. */
type Lexeme = Punctuation | 'string' | 'number' | 'word'

/** A token in its context: a `key` is a string that is the key of an object. */
export type JsonToken = Lexeme | 'key'

/** The tokens that may follow. */
type State = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'after value'

/** Receives each token with its offsets. */
type Visit = (token: JsonToken, start: number, end: number) => void

interface Match {
  /** Null if the text is not a valid token. */
  readonly token: Lexeme | null
  /** The offset after the token, or of the first invalid character. */
  readonly end: number
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y
/** All characters from the space on except `"` and `\`. */
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Scans JSON text without recursion and calls `visit` with each token and its offsets. Returns the
 * offset of the first invalid character, or null if the text is valid JSON.
 */
export function scanJson(text: string, visit: Visit): number | null {
  return allSteps(scanInSteps(text, visit))
}

/** The same in steps. */
export function* scanInSteps(text: string, visit: Visit): Steps<number | null> {
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let done = false
  let at = matchEnd(SPACE, text, 0)
  while (at < text.length) {
    const { token, end } = done ? { token: null, end: at } : read(text, at)
    if (token === null) return end
    const next = step(state, token, open)
    if (next === null) return at
    const isKey = token === 'string' && next === 'colon'
    visit(isKey ? 'key' : token, at, end)
    state = next
    done = state === 'after value' && open.length === 0
    at = matchEnd(SPACE, text, end)
    if (endsStep()) yield
  }
  return done ? null : text.length
}

/** Updates the open brackets and returns the next state; null if the token is not allowed here. */
function step(state: State, token: Lexeme, open: ('{' | '[')[]): State | null {
  switch (state) {
    case 'value':
      return startValue(token, open)
    case 'first item':
      return token === ']' ? close(open) : startValue(token, open)
    case 'key':
      return token === 'string' ? 'colon' : null
    case 'first key':
      if (token === '}') return close(open)
      return token === 'string' ? 'colon' : null
    case 'colon':
      return token === ':' ? 'value' : null
    case 'after value': {
      const isObject = open.at(-1) === '{'
      if (token === ',') return isObject ? 'key' : 'value'
      return token === (isObject ? '}' : ']') ? close(open) : null
    }
    default:
      return unreachable(state)
  }
}

function startValue(token: Lexeme, open: ('{' | '[')[]): State | null {
  if (token === '{' || token === '[') {
    open.push(token)
    return token === '{' ? 'first key' : 'first item'
  }
  return token === 'string' || token === 'number' || token === 'word' ? 'after value' : null
}

function close(open: ('{' | '[')[]): State {
  open.pop()
  return 'after value'
}

function read(text: string, at: number): Match {
  const first = text.charAt(at)
  if (isPunctuation(first)) return { token: first, end: at + 1 }
  if (first === '"') return readString(text, at)
  const [token, pattern] = /[-0-9]/.test(first)
    ? (['number', NUMBER] as const)
    : (['word', WORD] as const)
  const end = matchEnd(pattern, text, at)
  return end > at ? { token, end } : { token: null, end: at }
}

function readString(text: string, at: number): Match {
  let end = matchEnd(PLAIN, text, at + 1)
  while (text.charAt(end) === '\\') {
    const after = matchEnd(ESCAPE, text, end)
    if (after === end) return { token: null, end }
    end = matchEnd(PLAIN, text, after)
  }
  return text.charAt(end) === '"' ? { token: 'string', end: end + 1 } : { token: null, end }
}

/** The end of a match at this offset; the offset itself if the pattern does not match. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function isPunctuation(character: string): character is Punctuation {
  return character !== '' && '{}[]:,'.includes(character)
}
