import { CelSyntaxError } from '../cel-error.ts'
import { errorAt } from './error-at.ts'
import type { CreateList, CreateMap, Expression } from './expression.ts'
import { qualifiedName } from './expression.ts'
import { literalValue } from './literals.ts'
import { expandMacro, type Macros } from './macros.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Limits and macros of a language. */
export interface SyntaxOptions {
  readonly macros: Macros
  /** The most levels of nesting. */
  readonly maxDepth: number
  /** The most nodes, after the expansion of macros. */
  readonly maxNodes: number
}

/** Words that are no identifiers, beside `true`, `false`, `null` and `in`. */
export const RESERVED: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
])

const RELATIONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in'])

/** Parses an expression, or throws a CelSyntaxError. */
export function parseExpression(text: string, options: SyntaxOptions): Expression {
  const parser = new Parser(text, options)
  return parser.whole()
}

class Parser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  readonly #options: SyntaxOptions
  #index = 0
  #depth = 0
  #nodes = 0

  constructor(text: string, options: SyntaxOptions) {
    this.#text = text
    this.#options = options
    this.#tokens = tokensOf(text)
  }

  whole(): Expression {
    const result = this.#expression()
    if (this.#token.kind !== 'end') throw this.#unexpected()
    return result
  }

  get #token(): Token {
    return this.#tokens[this.#index] ?? { kind: 'end', text: '<EOF>', at: this.#text.length }
  }

  #unexpected(): CelSyntaxError {
    const { text, at } = this.#token
    return this.#error(at, `Syntax error: unexpected '${text}'`)
  }

  #error(at: number, message: string): CelSyntaxError {
    return new CelSyntaxError(errorAt(this.#text, at, message))
  }

  #is(text: string): boolean {
    const { kind, text: found } = this.#token
    return found === text && (kind === 'symbol' || kind === 'identifier')
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false
    this.#index += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected()
  }

  #next(): Token {
    const token = this.#token
    this.#index += 1
    return token
  }

  #node<Node extends Expression>(node: Node): Node {
    this.#nodes += 1
    if (this.#nodes > this.#options.maxNodes) {
      const { maxNodes } = this.#options
      throw this.#error(node.at, `expression has more than ${maxNodes} operators and operands`)
    }
    return node
  }

  #call(at: number, name: string, args: readonly Expression[]): Expression {
    return this.#node({ kind: 'call', name, target: null, args, at })
  }

  #nested<Result>(parse: () => Result): Result {
    this.#depth += 1
    if (this.#depth > this.#options.maxDepth) {
      const { maxDepth } = this.#options
      throw this.#error(this.#token.at, `expression is nested more than ${maxDepth} levels deep`)
    }
    const result = parse()
    this.#depth -= 1
    return result
  }

  #expression(): Expression {
    return this.#nested(() => {
      const condition = this.#logic('||')
      const { at } = this.#token
      if (!this.#take('?')) return condition
      const truthy = this.#logic('||')
      this.#expect(':')
      return this.#call(at, '_?_:_', [condition, truthy, this.#expression()])
    })
  }

  /** Chains are balanced, so that long ones are not deep. */
  #logic(operator: '||' | '&&'): Expression {
    const operand = () => (operator === '||' ? this.#logic('&&') : this.#relation())
    const terms = [operand()]
    const places: number[] = []
    while (this.#is(operator)) {
      places.push(this.#next().at)
      terms.push(operand())
    }
    const build = (from: number, to: number): Expression => {
      const only = terms[from]
      if (only !== undefined && to === from + 1) return only
      const middle = Math.ceil((from + to) / 2)
      const at = places[middle - 1] ?? 0
      return this.#call(at, `_${operator}_`, [build(from, middle), build(middle, to)])
    }
    return build(0, terms.length)
  }

  #relation(): Expression {
    return this.#chain(RELATIONS, () => this.#sum())
  }

  #sum(): Expression {
    return this.#chain(new Set(['+', '-']), () => {
      return this.#chain(new Set(['*', '/', '%']), () => this.#unary())
    })
  }

  /** Each operator makes the tree one level deeper. */
  #chain(operators: ReadonlySet<string>, operand: () => Expression): Expression {
    let left = operand()
    const depth = this.#depth
    while (operators.has(this.#token.text) && this.#token.kind !== 'string') {
      const { text, at } = this.#next()
      this.#deepen()
      left = this.#call(at, text === 'in' ? '@in' : `_${text}_`, [left, operand()])
    }
    this.#depth = depth
    return left
  }

  #deepen(): void {
    // Left operands are nested without recursion of the parser.
    this.#depth += 0.25
    this.#nested(() => null)
  }

  #unary(): Expression {
    const { text, at, kind } = this.#token
    if (kind !== 'symbol' || (text !== '!' && text !== '-')) return this.#member()
    let count = 0
    while (this.#take(text)) count += 1
    const isNumber = this.#token.kind === 'int' || this.#token.kind === 'double'
    const negates = text === '-' && isNumber
    if (negates) count -= 1
    const operand = negates ? this.#member(at) : this.#member()
    return count % 2 === 0 ? operand : this.#call(at, `${text}_`, [operand])
  }

  #member(negativeAt?: number): Expression {
    const depth = this.#depth
    let operand = this.#primary(negativeAt)
    for (;;) {
      const { at } = this.#token
      if (this.#take('.')) operand = this.#selected(operand, at)
      else if (this.#take('[')) operand = this.#indexed(operand, at)
      else if (this.#is('{')) {
        const name = qualifiedName(operand)
        if (name === null) throw this.#unexpected()
        operand = this.#struct(name, at)
      } else break
      this.#deepen()
    }
    this.#depth = depth
    return operand
  }

  #fieldName(): string {
    const { kind, text } = this.#token
    const isName = kind === 'identifier' || kind === 'quoted'
    if (!isName || ['true', 'false', 'null', 'in'].includes(text)) throw this.#unexpected()
    this.#next()
    return kind === 'quoted' ? text.slice(1, -1) : text
  }

  #selected(operand: Expression, at: number): Expression {
    const isOptional = this.#take('?')
    const token = this.#token
    const field = this.#fieldName()
    if (isOptional) {
      const literal = this.#node({ kind: 'literal', value: field, at: token.at } as const)
      return this.#call(at, '_?._', [operand, literal])
    }
    const open = this.#token.at
    if (token.kind === 'identifier' && this.#take('(')) {
      return this.#called({ name: field, target: operand, at: open })
    }
    return this.#node({ kind: 'select', operand, field, isTest: false, at })
  }

  #called(call: {
    readonly name: string
    readonly target: Expression | null
    readonly at: number
  }): Expression {
    const args = this.#list(')', () => this.#expression())
    const node = this.#node({ kind: 'call', ...call, args } as const)
    const expanded = expandMacro(node, this.#options.macros)
    if (expanded === null) return node
    if ('problem' in expanded) throw this.#error(expanded.at, expanded.problem)
    // A macro adds at most this many nodes.
    this.#nodes += 8
    return this.#node(expanded.node)
  }

  #list<Item>(end: string, item: () => Item): readonly Item[] {
    const items: Item[] = []
    while (!this.#take(end)) {
      if (items.length > 0) {
        this.#expect(',')
        if (end !== ')' && this.#take(end)) break
      }
      items.push(item())
    }
    return items
  }

  #indexed(operand: Expression, at: number): Expression {
    const isOptional = this.#take('?')
    const index = this.#expression()
    this.#expect(']')
    return this.#call(at, isOptional ? '_[?_]' : '_[_]', [operand, index])
  }

  #primary(negativeAt?: number): Expression {
    const token = this.#next()
    const { kind, text, at } = token
    switch (kind) {
      case 'int':
      case 'uint':
      case 'double':
      case 'string': {
        const literal = literalValue(token, negativeAt !== undefined)
        if ('problem' in literal) throw this.#error(negativeAt ?? at, literal.problem)
        return this.#node({ kind: 'literal', value: literal.value, at: negativeAt ?? at })
      }
      case 'identifier':
        return this.#named(token, '')
      case 'symbol':
        return this.#symbol(text, at)
      default:
        this.#index -= 1
        throw this.#unexpected()
    }
  }

  #symbol(text: string, at: number): Expression {
    switch (text) {
      case '(': {
        const inner = this.#expression()
        this.#expect(')')
        return inner
      }
      case '[':
        return this.#createList(at)
      case '{':
        return this.#createMap(at)
      case '.':
        if (this.#token.kind === 'identifier') return this.#named(this.#next(), '.')
        throw this.#unexpected()
      default:
        this.#index -= 1
        throw this.#unexpected()
    }
  }

  #named({ text, at }: Token, prefix: string): Expression {
    if (prefix === '' && (text === 'true' || text === 'false')) {
      return this.#node({ kind: 'literal', value: text === 'true', at })
    }
    if (prefix === '' && text === 'null') return this.#node({ kind: 'literal', value: null, at })
    if (text === 'in') {
      this.#index -= 1
      throw this.#unexpected()
    }
    if (RESERVED.has(text)) throw this.#error(at, `reserved identifier: ${text}`)
    const name = prefix + text
    const open = this.#token.at
    if (this.#take('(')) return this.#called({ name, target: null, at: open })
    return this.#node({ kind: 'identifier', name, at })
  }

  #createList(at: number): CreateList {
    const items = this.#list(']', () => {
      const isOptional = this.#take('?')
      return { value: this.#expression(), isOptional }
    })
    return this.#node({ kind: 'list', items, at })
  }

  #createMap(at: number): CreateMap {
    const entries = this.#list('}', () => {
      const isOptional = this.#take('?')
      const key = this.#expression()
      this.#expect(':')
      return { key, value: this.#expression(), isOptional }
    })
    return this.#node({ kind: 'map', entries, at })
  }

  #struct(name: string, at: number): Expression {
    this.#expect('{')
    const fields = this.#list('}', () => {
      const isOptional = this.#take('?')
      const field = this.#fieldName()
      this.#expect(':')
      return { name: field, value: this.#expression(), isOptional }
    })
    return this.#node({ kind: 'struct', name, fields, at })
  }
}
