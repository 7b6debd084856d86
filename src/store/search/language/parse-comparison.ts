import type { Cursor } from './cursor.ts'
import {
  type Expression,
  type Field,
  isField,
  type IsNull,
  type Like,
  type Operand,
  type StringLiteral,
} from './expression.ts'
import type { ParserState } from './hint.ts'
import { LIMITS } from './limits.ts'
import { OperandParser, stringLiteral } from './parse-operand.ts'
import { between, compare, isIn } from './relations.ts'
import type { Token } from './scanner/token.ts'
import { type Span, spanOf } from './span.ts'

/** An expression, or an operand alone, which brackets may enclose. */
export type Parsed = Expression | { readonly type: 'operand'; readonly operand: Operand }

/** Parses single comparisons, and enforces the limits on list items and patterns. */
export class ComparisonParser {
  readonly #cursor: Cursor
  readonly #operands: OperandParser
  #items = 0
  #likes = 0

  constructor(cursor: Cursor) {
    this.#cursor = cursor
    this.#operands = new OperandParser(cursor)
  }

  /**
   * Parses the comparison at the cursor. `not in` and the like become NOT of the plain comparison.
   */
  parse(): Parsed {
    return this.after(this.#operands.one('comparison', "a field, 'not' or '('"))
  }

  /** Parses the rest of the comparison whose left operand is before the cursor. */
  after(left: Operand): Parsed {
    const token = this.#cursor.current
    if (token.type === 'operator') {
      this.#cursor.advance()
      const right = this.#operands.any('value', 'a value')
      const operator = { operator: token.operator, span: spanOf(token) }
      return this.#relate(compare(left, operator, right), right)
    }
    if (this.#cursor.isMark(')') || (left.type === 'boolean' && !startsRelation(token))) {
      return { type: 'operand', operand: left }
    }
    if (isField(left) && this.#cursor.takeKeyword('is')) return this.#is(left, token)
    if (!this.#cursor.takeKeyword('not')) return this.#worded(left, 'operator', 'an operator')
    const operand = this.#worded(left, 'negated', "'in', 'like', 'ilike' or 'between'")
    return { type: 'not', operand, span: operand.span }
  }

  /** The relation, which is null if it has no field. */
  #relate(relation: Expression | null, right: Span | Operand): Expression {
    if (relation !== null) return relation
    const span = 'span' in right ? right.span : right
    throw this.#cursor.errorAt('expected a field on one side, found two values', span)
  }

  /** After IS: null, or a literal, which makes it an equality. */
  #is(field: Field, at: Span): Expression {
    const negated = this.#cursor.takeKeyword('not')
    const token = this.#cursor.current
    const literal = this.#operands.literal()
    if (literal !== null) {
      const operator = { operator: negated ? '!=' : '=', span: spanOf(at) } as const
      return this.#relate(compare(field, operator, literal), literal)
    }
    if (!this.#cursor.takeKeyword('null')) {
      throw this.#cursor.unexpectedAfter(
        'value',
        negated ? "'null' or a value" : "'null', 'not' or a value",
      )
    }
    const span = { start: field.span.start, end: token.end }
    const isNull: IsNull = { type: 'is-null', field, operatorSpan: spanOf(at), span }
    return negated ? { type: 'not', operand: isNull, span } : isNull
  }

  /** Parses comparisons whose operator is a keyword that can follow NOT. */
  #worded(left: Operand, state: ParserState, expected: string): Expression {
    const token = this.#cursor.current
    if (token.type === 'keyword') {
      switch (token.keyword) {
        case 'in':
          this.#cursor.advance()
          return this.#in(left, token)
        case 'like':
        case 'ilike':
          if (!isField(left)) break
          this.#cursor.advance()
          return this.#like(left, token.keyword === 'ilike', token)
        case 'between':
          this.#cursor.advance()
          return this.#between(left, token)
        default:
          break
      }
    }
    throw this.#cursor.unexpectedAfter(state, expected)
  }

  /** A list in square brackets may end with a comma, as in TSL 6. */
  #in(left: Operand, at: Span): Expression {
    const close = this.#cursor.isMark('(') ? ')' : ']'
    if (!this.#cursor.takeMark('(') && !this.#cursor.takeMark('[')) {
      throw this.#cursor.unexpectedAfter('list', "a list in '(' or '['")
    }
    const items: Operand[] = []
    while (!this.#cursor.isMark(close)) {
      if (items.length > 0 && !this.#cursor.takeMark(',')) {
        throw this.#cursor.unexpected('list', `',' or '${close}'`)
      }
      if (items.length > 0 && close === ']' && this.#cursor.isMark(close)) break
      items.push(this.#item(items.length === 0 ? `a value or '${close}'` : 'a value'))
    }
    const { end } = this.#cursor.current
    this.#cursor.advance()
    const relation = isIn(left, items, { operatorSpan: spanOf(at), end })
    return this.#relate(relation, { start: left.span.start, end })
  }

  #item(expected: string): Operand {
    const token = this.#cursor.current
    const item = this.#operands.one('item', expected)
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
    const pattern = this.#operands.inBrackets(() => this.#pattern())
    const span = { start: field.span.start, end: pattern.span.end }
    return { type: 'like', pattern, ignoreCase, field, operatorSpan: spanOf(at), span }
  }

  #pattern(): StringLiteral {
    const token = this.#cursor.current
    if (token.type !== 'string') throw this.#cursor.unexpectedAfter('value', 'a quoted pattern')
    const limit = LIMITS.patternCharacters
    if (token.value.length > limit && Array.from(token.value).length > limit) {
      throw this.#over(`patterns of at most ${limit} characters`, token)
    }
    this.#cursor.advance()
    return stringLiteral(token)
  }

  #between(left: Operand, at: Span): Expression {
    const low = this.#operands.any('value', 'a value')
    if (!this.#cursor.takeKeyword('and'))
      throw this.#cursor.unexpected('list', "'and' and a second value")
    const high = this.#operands.any('value', 'a value')
    return this.#relate(between(left, { low, high }, spanOf(at)), high)
  }

  #over(limit: string, at: Span): Error {
    return this.#cursor.errorAt(`a search takes ${limit}, found one more`, at)
  }
}

/** Whether the token is the operator of a comparison, or its first word. */
function startsRelation(token: Token): boolean {
  if (token.type !== 'keyword') return token.type === 'operator'
  return ['in', 'not', 'between'].includes(token.keyword)
}
