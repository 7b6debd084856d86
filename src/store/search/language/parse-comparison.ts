import type { Cursor } from './cursor.ts'
import type {
  Between,
  Comparison,
  ComparisonOperator,
  Expression,
  Field,
  In,
  IsNull,
  Like,
  Literal,
  StringLiteral,
} from './expression.ts'
import { LIMITS } from './limits.ts'
import type { ParserState } from './hint.ts'
import type { Span } from './span.ts'
import type { Token } from './scanner/token.ts'

/** Parses single comparisons, and enforces the limits on comparisons, list items and patterns. */
export class ComparisonParser {
  readonly #cursor: Cursor
  #comparisons = 0
  #items = 0
  #likes = 0

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  /**
   * Parses the comparison at the cursor. `not in` and the like become NOT of the plain comparison.
   */
  parse(): Expression {
    const field = this.#field()
    const token = this.#cursor.current
    if (token.type === 'operator') {
      this.#cursor.advance()
      return this.#compare(field, token.operator, token)
    }
    if (this.#cursor.takeKeyword('is')) return this.#is(field, token)
    if (!this.#cursor.takeKeyword('not')) {
      return this.#worded(field, 'operator', 'an operator')
    }
    const operand = this.#worded(field, 'negated', "'in', 'like', 'ilike' or 'between'")
    return { type: 'not', operand, span: operand.span }
  }

  #field(): Field {
    const token = this.#cursor.current
    const field = fieldOf(token)
    if (field === null) {
      throw this.#cursor.unexpected('comparison', "a field, 'not' or '('")
    }
    this.#comparisons += 1
    if (this.#comparisons > LIMITS.comparisons) {
      throw this.#over(`at most ${LIMITS.comparisons} comparisons`, token)
    }
    this.#cursor.advance()
    return field
  }

  #compare(field: Field, operator: ComparisonOperator, at: Span): Comparison {
    const value = this.#literal('value', 'a value')
    return { type: 'compare', operator, value, ...this.#leaf(field, at, value.span.end) }
  }

  /** After IS: null, or a literal, which makes it an equality. */
  #is(field: Field, at: Span): Expression {
    const negated = this.#cursor.takeKeyword('not')
    const token = this.#cursor.current
    if (literalOf(token) !== null) return this.#compare(field, negated ? '!=' : '=', at)
    if (!this.#cursor.takeKeyword('null')) {
      throw this.#cursor.unexpectedAfter(
        'value',
        negated ? "'null' or a value" : "'null', 'not' or a value",
      )
    }
    const isNull: IsNull = { type: 'is-null', ...this.#leaf(field, at, token.end) }
    return negated ? { type: 'not', operand: isNull, span: isNull.span } : isNull
  }

  /** Parses comparisons whose operator is a keyword that can follow NOT. */
  #worded(field: Field, state: ParserState, expected: string): Comparison {
    const token = this.#cursor.current
    if (token.type === 'keyword') {
      switch (token.keyword) {
        case 'in':
          this.#cursor.advance()
          return this.#in(field, token)
        case 'like':
        case 'ilike':
          this.#cursor.advance()
          return this.#like(field, token.keyword === 'ilike', token)
        case 'between':
          this.#cursor.advance()
          return this.#between(field, token)
        default:
          break
      }
    }
    throw this.#cursor.unexpectedAfter(state, expected)
  }

  #in(field: Field, at: Span): In {
    const close = this.#cursor.isMark('(') ? ')' : ']'
    if (!this.#cursor.takeMark('(') && !this.#cursor.takeMark('[')) {
      throw this.#cursor.unexpectedAfter('list', "a list in '(' or '['")
    }
    const values: Literal[] = []
    while (!this.#cursor.isMark(close)) {
      if (values.length > 0 && !this.#cursor.takeMark(',')) {
        throw this.#cursor.unexpected('list', `',' or '${close}'`)
      }
      values.push(this.#item(values.length === 0 ? `a value or '${close}'` : 'a value'))
    }
    const { end } = this.#cursor.current
    this.#cursor.advance()
    return { type: 'in', values, ...this.#leaf(field, at, end) }
  }

  #item(expected: string): Literal {
    const token = this.#cursor.current
    const item = this.#literal('item', expected)
    this.#items += 1
    if (this.#items > LIMITS.listItems) {
      throw this.#over(`at most ${LIMITS.listItems} list items in all`, token)
    }
    return item
  }

  #like(field: Field, ignoreCase: boolean, at: Span): Like {
    this.#likes += 1
    if (this.#likes > LIMITS.likes)
      throw this.#over(`at most ${LIMITS.likes} 'like' and 'ilike'`, at)
    const token = this.#cursor.current
    if (token.type !== 'string') throw this.#cursor.unexpectedAfter('value', 'a quoted pattern')
    const pattern: StringLiteral = { type: 'string', value: token.value, span: spanOf(token) }
    const limit = LIMITS.patternCharacters
    if (token.value.length > limit && Array.from(token.value).length > limit) {
      throw this.#over(`patterns of at most ${limit} characters`, token)
    }
    this.#cursor.advance()
    return { type: 'like', pattern, ignoreCase, ...this.#leaf(field, at, token.end) }
  }

  #between(field: Field, at: Span): Between {
    const low = this.#literal('value', 'a value')
    if (!this.#cursor.takeKeyword('and'))
      throw this.#cursor.unexpected('list', "'and' and a second value")
    const high = this.#literal('value', 'a value')
    return { type: 'between', low, high, ...this.#leaf(field, at, high.span.end) }
  }

  #literal(state: ParserState, expected: string): Literal {
    const literal = literalOf(this.#cursor.current)
    if (literal === null) throw this.#cursor.unexpectedAfter(state, expected)
    this.#cursor.advance()
    return literal
  }

  #leaf(
    field: Field,
    operator: Span,
    end: number,
  ): { field: Field; operatorSpan: Span; span: Span } {
    return { field, operatorSpan: spanOf(operator), span: { start: field.span.start, end } }
  }

  #over(limit: string, at: Span): Error {
    return this.#cursor.overLimit(`a search takes ${limit}, found one more`, at)
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

/** The literal of the token, or null. */
function literalOf(token: Token): Literal | null {
  const span = spanOf(token)
  switch (token.type) {
    case 'string':
      return { type: 'string', value: token.value, span }
    case 'number':
      return { type: 'number', text: token.text, span }
    case 'keyword': {
      const { keyword } = token
      const isBoolean = keyword === 'true' || keyword === 'false'
      return isBoolean ? { type: 'boolean', value: keyword === 'true', span } : null
    }
    default:
      return null
  }
}

function spanOf({ start, end }: Span): Span {
  return { start, end }
}
