import type { Cursor } from './cursor.ts'
import type { Field, Literal, Operand, StringLiteral } from './expression.ts'
import type { ParserState } from './hint.ts'
import { LIMITS } from './limits.ts'
import type { Token } from './scanner/token.ts'
import { spanOf } from './span.ts'

/** Parses fields and literals, and enforces the limit on compared fields. */
export class OperandParser {
  readonly #cursor: Cursor
  #fields = 0

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  /** The operand at the cursor, in any number of brackets. */
  any(state: ParserState, expected: string): Operand {
    return this.inBrackets(() => this.one(state, expected))
  }

  /** Parses the content of any number of brackets. */
  inBrackets<Content>(parse: () => Content): Content {
    let brackets = 0
    while (this.#cursor.takeMark('(')) brackets += 1
    const content = parse()
    for (; brackets > 0; brackets -= 1) {
      if (!this.#cursor.takeMark(')')) throw this.#cursor.unexpected('list', "')'")
    }
    return content
  }

  /** The operand at the cursor. */
  one(state: ParserState, expected: string): Operand {
    const token = this.#cursor.current
    const literal = this.literal()
    if (literal !== null) return literal
    const field = fieldOf(token)
    if (field === null) {
      throw state === 'comparison'
        ? this.#cursor.unexpected(state, expected)
        : this.#cursor.unexpectedAfter(state, expected)
    }
    this.#fields += 1
    if (this.#fields > LIMITS.comparisons) {
      const limit = `a search takes at most ${LIMITS.comparisons} comparisons, found one more`
      throw this.#cursor.errorAt(limit, token)
    }
    this.#cursor.advance()
    return field
  }

  /** Consumes the literal at the cursor; null if there is none. */
  literal(): Literal | null {
    const literal = literalOf(this.#cursor.current)
    if (literal !== null) this.#cursor.advance()
    return literal
  }
}

/** The field of the token, or null. */
function fieldOf(token: Token): Field | null {
  const span = spanOf(token)
  switch (token.type) {
    case 'name':
      return { type: 'name', name: token.name, span }
    case 'label':
      return { type: 'label', key: token.key, span }
    case 'spec':
      return { type: 'spec', path: token.path, span }
    default:
      return null
  }
}

/** The literal of a token of text. */
export function stringLiteral({
  value,
  written,
  start,
  end,
}: Extract<Token, { type: 'string' }>): StringLiteral {
  return {
    type: 'string',
    value,
    ...(written !== undefined && { written }),
    span: { start, end },
  }
}

/** The literal of the token, or null. */
function literalOf(token: Token): Literal | null {
  const span = spanOf(token)
  switch (token.type) {
    case 'string':
      return stringLiteral(token)
    case 'number':
      return { type: 'number', text: token.text, decimal: token.decimal, span }
    case 'keyword': {
      const { keyword } = token
      const isBoolean = keyword === 'true' || keyword === 'false'
      return isBoolean ? { type: 'boolean', value: keyword === 'true', span } : null
    }
    default:
      return null
  }
}
