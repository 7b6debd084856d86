import { hintFor, type ParserState } from './hint.ts'
import { scan } from './scanner/scan.ts'
import { searchError, shorten } from './search-error.ts'
import type { Span } from './span.ts'
import type { Keyword, Mark, Token } from './scanner/token.ts'

const MAX_QUOTED_LENGTH = 40

/** A position in the tokens of a text, with one token of look-ahead. Each token is scanned once. */
export class Cursor {
  readonly #text: string
  #current: Token
  #previous: Token | null = null

  constructor(text: string) {
    this.#text = text
    this.#current = scan(text, 0)
  }

  get current(): Token {
    return this.#current
  }

  /** Moves to the next token. */
  advance(): void {
    this.#previous = this.#current
    this.#current = scan(this.#text, this.#current.end)
  }

  get atEnd(): boolean {
    return this.#current.type === 'end'
  }

  isKeyword(keyword: Keyword): boolean {
    return this.#current.type === 'keyword' && this.#current.keyword === keyword
  }

  isMark(mark: Mark): boolean {
    return this.#current.type === 'mark' && this.#current.mark === mark
  }

  /** Consumes the current token if it is the keyword. */
  takeKeyword(keyword: Keyword): boolean {
    const taken = this.isKeyword(keyword)
    if (taken) this.advance()
    return taken
  }

  /** Consumes the current token if it is the mark. */
  takeMark(mark: Mark): boolean {
    const taken = this.isMark(mark)
    if (taken) this.advance()
    return taken
  }

  /** The error for the current token if the parser expected something else. */
  unexpected(state: ParserState, expected: string): Error {
    const found = this.#current
    const hint = hintFor(state, found, this.#previous)
    const message = `expected ${expected} at ${found.start}, found ${describe(this.#text, found)}`
    const piece = this.#text.slice(found.start, found.end)
    return searchError(hint === null ? message : `${message}; ${hint}`, piece, found)
  }

  /** The same error, with a message that names the previous token. */
  unexpectedAfter(state: ParserState, expected: string): Error {
    const before = this.#previous
    const after = before === null ? '' : ` after ${describe(this.#text, before)}`
    return this.unexpected(state, expected + after)
  }

  /** The error for the text of a span: a search that exceeds a limit, or a misplaced value. */
  errorAt(message: string, span: Span): Error {
    const piece = this.#text.slice(span.start, span.end)
    return searchError(`${message} at ${span.start}`, piece, span)
  }
}

/** A token as a message names it. */
function describe(text: string, token: Token): string {
  if (token.type === 'end') return 'end of text'
  if (token.type === 'invalid' && token.what !== null) return token.what
  const piece = shorten(text.slice(token.start, token.end), MAX_QUOTED_LENGTH)
  return /^['"`]/.test(piece) ? piece : `'${piece}'`
}
