import { Cursor } from './cursor.ts'
import type { Chain, Expression } from './expression.ts'
import { LIMITS } from './limits.ts'
import { ComparisonParser, type Parsed } from './parse-comparison.ts'
import { searchError } from './search-error.ts'

/**
 * Parses a search; null if it is blank. `bind` checks the fields later. Throws `invalid-search`
 * with the position, the unexpected text and the expectation.
 */
export function parse(text: string): Expression | null {
  checkLength(text)
  const cursor = new Cursor(text)
  if (cursor.atEnd) return null
  const expression = new Parser(cursor).parse()
  if (!cursor.atEnd) {
    throw cursor.unexpected('connective', "'and', 'or' or the end of the text")
  }
  return expression
}

/** The expression that all texts together mean; null if none of them restricts anything. */
export function parseAll(texts: readonly string[]): Expression | null {
  const operands = texts.map(parse).filter((expression) => expression !== null)
  const [first, second] = operands
  if (!first || !second) return first ?? null
  return { type: 'and', operands, span: first.span }
}

function checkLength(text: string): void {
  if (text.length <= LIMITS.characters) return
  const characters = Array.from(text)
  if (characters.length <= LIMITS.characters) return
  const start = characters.slice(0, LIMITS.characters).join('').length
  const message = `a search takes at most ${LIMITS.characters} characters, found ${characters.length}`
  throw searchError(message, text.slice(start), { start, end: text.length })
}

class Parser {
  readonly #cursor: Cursor
  readonly #comparisons: ComparisonParser
  /** The number of open brackets and NOTs. */
  #levels = 0

  constructor(cursor: Cursor) {
    this.#cursor = cursor
    this.#comparisons = new ComparisonParser(cursor)
  }

  parse(): Expression {
    return this.#whole(this.#or())
  }

  #or(): Parsed {
    return this.#chain('or', () => this.#and())
  }

  #and(): Parsed {
    return this.#chain('and', () => this.#not())
  }

  #chain(type: Chain['type'], operand: () => Parsed): Parsed {
    const parsed = operand()
    if (!this.#cursor.isKeyword(type)) return parsed
    const first = this.#whole(parsed)
    const operands = [first]
    let end = first.span.end
    while (this.#cursor.takeKeyword(type)) {
      const next = this.#whole(operand())
      operands.push(next)
      end = next.span.end
    }
    return { type, operands, span: { start: first.span.start, end } }
  }

  #not(): Parsed {
    const { start } = this.#cursor.current
    if (!this.#cursor.isKeyword('not')) return this.#primary()
    this.#descend()
    this.#cursor.advance()
    const operand = this.#whole(this.#not())
    this.#levels -= 1
    return { type: 'not', operand, span: { start, end: operand.span.end } }
  }

  #primary(): Parsed {
    if (!this.#cursor.isMark('(')) return this.#comparisons.parse()
    this.#descend()
    this.#cursor.advance()
    const inside = this.#or()
    if (!this.#cursor.takeMark(')')) {
      throw this.#cursor.unexpected('connective', "'and', 'or' or ')'")
    }
    this.#levels -= 1
    return inside.type === 'operand' ? this.#comparisons.after(inside.operand) : inside
  }

  /** The expression. An operand alone is one only if it is `true` or `false`. */
  #whole(parsed: Parsed): Expression {
    if (parsed.type !== 'operand') return parsed
    const { operand } = parsed
    if (operand.type === 'boolean') return { ...operand, type: 'constant' }
    throw this.#cursor.unexpectedAfter('operator', 'an operator')
  }

  #descend(): void {
    this.#levels += 1
    if (this.#levels <= LIMITS.levels) return
    const limit = `a search takes at most ${LIMITS.levels} levels of brackets and 'not', found one more`
    throw this.#cursor.errorAt(limit, this.#cursor.current)
  }
}
