import type { Overload } from '../functions/function.ts'
import { errorAt } from '../syntax/error-at.ts'
import {
  type Call,
  type CreateList,
  type CreateMap,
  type CreateStruct,
  type Expression,
  type Fold,
  type Identifier,
  qualifiedName,
  type Select,
} from '../syntax/expression.ts'
import { isDynamic, mostGeneral, Substitution } from '../types/substitution.ts'
import {
  BOOL,
  DYN,
  ERROR,
  formatType,
  INT,
  isSameType,
  listOf,
  mapOf,
  optionalItem,
  optionalOf,
  parameter,
  parameterAt,
  type Type,
  typeOf,
} from '../types/type.ts'
import { typeOfValue } from '../values/value.ts'
import { type Declared, Scope } from './scope.ts'

/** An expression with the types of its nodes. */
export interface CheckedExpression {
  readonly root: Expression
  readonly type: Type
  readonly types: ReadonlyMap<Expression, Type>
  /** The overloads that a call may have. */
  readonly overloads: ReadonlyMap<Expression, readonly Overload[]>
  /** Fields and methods that are qualified names of variables, types or functions. */
  readonly names: ReadonlyMap<Expression, string>
  readonly errors: readonly string[]
}

/** The most errors that are reported. */
const MAX_ERRORS = 10

/** Finds the types of all nodes, and errors such as undeclared names. */
export function checkExpression(
  root: Expression,
  text: string,
  declared: Declared,
): CheckedExpression {
  return new Checker(text, declared).whole(root)
}

type FieldOf = Pick<Select, 'operand' | 'field'>

/** The function of a call. */
interface Called {
  readonly name: string
  readonly isMember: boolean
}

class Checker {
  readonly #text: string
  readonly #declared: Declared
  readonly #scope = new Scope()
  readonly #substitution = new Substitution()
  readonly #types = new Map<Expression, Type>()
  readonly #overloads = new Map<Expression, readonly Overload[]>()
  readonly #names = new Map<Expression, string>()
  readonly #errors: string[] = []
  #variables = 0
  #isHomogeneous: boolean

  constructor(text: string, declared: Declared) {
    this.#text = text
    this.#declared = declared
    this.#isHomogeneous = declared.isHomogeneous
  }

  whole(root: Expression): CheckedExpression {
    this.#check(root)
    const types = new Map(
      [...this.#types].map(([node, type]) => [node, this.#substitution.apply(type, true)]),
    )
    return {
      root,
      type: types.get(root) ?? ERROR,
      types,
      overloads: this.#overloads,
      names: this.#names,
      errors: this.#errors,
    }
  }

  #error({ at }: Expression, message: string): Type {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(errorAt(this.#text, at, message))
    return ERROR
  }

  #typeVariable(): Type {
    this.#variables += 1
    return parameter(`_var${this.#variables}`)
  }

  #check(node: Expression): Type {
    const known = this.#types.get(node)
    if (known) return known
    const type = this.#typeOf(node)
    this.#types.set(node, type)
    return type
  }

  #typeOf(node: Expression): Type {
    switch (node.kind) {
      case 'literal':
        return typeOfValue(node.value)
      case 'identifier':
        return this.#identifier(node)
      case 'select':
        return this.#select(node)
      case 'call':
        return this.#call(node)
      case 'list':
        return this.#list(node)
      case 'map':
        return this.#map(node)
      case 'struct':
        return this.#struct(node)
      case 'fold':
        return this.#fold(node)
    }
  }

  #identifier(node: Identifier): Type {
    const local = this.#scope.find(node.name)
    if (local) return local
    const type = this.#global(node, node.name)
    return type ?? this.#error(node, `undeclared reference to '${node.name}' (in container '')`)
  }

  /** The type of a variable or of the name of a type; null if there is none. */
  #global(node: Expression, name: string): Type | null {
    const plain = name.replace(/^\./, '')
    const variable = this.#declared.variables.get(plain)
    if (variable) {
      this.#names.set(node, plain)
      return variable
    }
    const type = this.#declared.types.get(plain)
    if (!type) return null
    this.#names.set(node, plain)
    return typeOf(type)
  }

  #select(node: Select): Type {
    const name = qualifiedName(node)
    const isLocal = name !== null && this.#scope.find(name.split('.')[0] ?? '') !== undefined
    const global = name === null || isLocal ? null : this.#global(node, name)
    if (global) return global
    const type = this.#field(node, node)
    return node.isTest ? BOOL : this.#substitution.apply(type)
  }

  #field(node: Expression, { operand, field }: FieldOf, isOptional = false): Type {
    const operandType = this.#substitution.apply(this.#check(operand))
    const inner = optionalItem(operandType)
    const target = inner ?? operandType
    const type = this.#fieldOf(node, target, field)
    return inner !== null || isOptional ? optionalOf(type) : type
  }

  #fieldOf(node: Expression, target: Type, field: string): Type {
    const declared = target.fields.get(field)
    if (declared) return declared
    switch (target.kind) {
      case 'map':
        return parameterAt(target, 1)
      case 'struct':
        return (
          this.#declared.structOf(target.name)?.fieldType(field) ??
          this.#error(node, `undefined field '${field}'`)
        )
      case 'param':
        this.#substitution.isAssignable(DYN, target)
        return DYN
      default:
        if (isDynamic(target)) return DYN
        return this.#error(node, `type '${formatType(target)}' does not support field selection`)
    }
  }

  #call(node: Call): Type {
    const { name, target, args } = node
    const [first, second] = args
    if (name === '_?._' && first && second?.kind === 'literal') {
      const field = typeof second.value === 'string' ? second.value : ''
      this.#check(second)
      return this.#substitution.apply(this.#field(node, { operand: first, field }, true))
    }
    this.#checkArguments(node)
    if (target === null)
      return this.#resolved(node, { name: name.replace(/^\./, ''), isMember: false }, args)
    const prefix = qualifiedName(target)
    const qualified = prefix === null ? null : `${prefix.replace(/^\./, '')}.${name}`
    if (qualified !== null && this.#declared.functions.has(qualified)) {
      this.#names.set(node, qualified)
      return this.#resolved(node, { name: qualified, isMember: false }, args)
    }
    this.#check(target)
    return this.#resolved(node, { name, isMember: true }, [target, ...args])
  }

  /** The values that `format` shows may have different types. */
  #checkArguments({ name, target, args }: Call): void {
    const before = this.#isHomogeneous
    if (name === 'format' && target !== null) this.#isHomogeneous = false
    for (const arg of args) this.#check(arg)
    this.#isHomogeneous = before
  }

  #resolved(node: Expression, called: Called, args: readonly Expression[]): Type {
    const { name, isMember } = called
    const overloads = this.#declared.functions.get(name)
    if (!overloads) {
      return this.#error(node, `undeclared reference to '${name}' (in container '')`)
    }
    const types = args.map((arg) => this.#check(arg))
    let result: Type | null = null
    const found: Overload[] = []
    for (const overload of overloads) {
      if (overload.isMember !== isMember) continue
      if (overload.parameters.length !== types.length) continue
      const type = this.#resultOf(overload, types)
      if (type === null) continue
      found.push(overload)
      if (result === null) result = type
      else if (result.kind !== 'dyn' && !isSameType(result, type)) result = DYN
    }
    this.#overloads.set(node, found)
    return result ?? this.#noOverload(node, called, types)
  }

  #noOverload(node: Expression, { name, isMember }: Called, types: readonly Type[]): Type {
    if (types.some(({ kind }) => kind === 'error')) return ERROR
    const names = types.map((type) => formatType(this.#substitution.apply(type, true)))
    const [receiver = ''] = names
    const shown = isMember ? `${receiver}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`
    return this.#error(node, `found no matching overload for '${name}' applied to '${shown}'`)
  }

  /** The type of the result of an overload; null if the arguments do not fit. */
  #resultOf(overload: Overload, types: readonly Type[]): Type | null {
    const renamed = new Map<string, Type>()
    const rename = (type: Type): Type => {
      if (type.kind === 'param') {
        const known = renamed.get(type.name) ?? this.#typeVariable()
        renamed.set(type.name, known)
        return known
      }
      if (type.parameters.length === 0) return type
      return { ...type, parameters: type.parameters.map(rename) }
    }
    const parameters = overload.parameters.map(rename)
    if (!this.#substitution.isEachAssignable(types, parameters)) return null
    return this.#substitution.apply(rename(overload.result))
  }

  #list(node: CreateList): Type {
    let joined: Type | null = null
    for (const { value, isOptional } of node.items) {
      const type = this.#check(value)
      joined = this.#join(value, joined, isOptional ? this.#unwrapped(value, type) : type)
    }
    return listOf(joined ?? this.#typeVariable())
  }

  #map(node: CreateMap): Type {
    let key: Type | null = null
    let value: Type | null = null
    for (const entry of node.entries) {
      key = this.#join(entry.key, key, this.#key(entry.key))
      const type = this.#check(entry.value)
      const plain = entry.isOptional ? this.#unwrapped(entry.value, type) : type
      value = this.#join(entry.value, value, plain)
    }
    return mapOf(key ?? this.#typeVariable(), value ?? this.#typeVariable())
  }

  #struct(node: CreateStruct): Type {
    const created = this.#declared.structOf(node.name.replace(/^\./, ''))
    if (!created) {
      return this.#error(node, `undeclared reference to '${node.name}' (in container '')`)
    }
    for (const { name, value, isOptional } of node.fields) {
      const type = this.#check(value)
      const found = isOptional ? this.#unwrapped(value, type) : type
      const declared = created.fieldType(name)
      if (!declared) this.#error(value, `undefined field '${name}'`)
      else if (!this.#substitution.isAssignable(declared, found)) {
        this.#mismatch(value, declared, found)
      }
    }
    return created.type
  }

  /** Keys are not collections, whose types could double with each level. */
  #key(node: Expression): Type {
    const type = this.#substitution.apply(this.#check(node))
    const isCollection = ['list', 'map', 'opaque', 'struct', 'type'].includes(type.kind)
    return isCollection ? this.#error(node, `unsupported key type '${formatType(type)}'`) : type
  }

  #unwrapped(node: Expression, type: Type): Type {
    const plain = this.#substitution.apply(type)
    const item = optionalItem(plain)
    if (item) return item
    return isDynamic(plain) ? plain : this.#mismatch(node, optionalOf(plain), plain)
  }

  #mismatch(node: Expression, expected: Type, found: Type): Type {
    const [wanted, given] = [expected, found].map((type) => {
      return formatType(this.#substitution.apply(type, true))
    })
    return this.#error(node, `expected type '${wanted}' but found '${given}'`)
  }

  #join(node: Expression, previous: Type | null, current: Type): Type {
    if (previous === null) return current
    if (this.#substitution.isAssignable(previous, current)) return mostGeneral(previous, current)
    return this.#isHomogeneous ? this.#mismatch(node, previous, current) : DYN
  }

  #fold(node: Fold): Type {
    const range = this.#substitution.apply(this.#check(node.range))
    const accumulated = this.#check(node.initial)
    const variables = this.#loopVariables(node, range)
    return this.#scope.inside([[node.accumulator, accumulated]], () => {
      this.#scope.inside(variables, () => {
        this.#require(node.condition, BOOL)
        this.#require(node.step, accumulated)
      })
      return this.#substitution.apply(this.#check(node.result))
    })
  }

  #require(node: Expression, type: Type): void {
    const found = this.#check(node)
    if (!this.#substitution.isAssignable(type, found)) this.#mismatch(node, type, found)
  }

  #loopVariables(node: Fold, range: Type): readonly (readonly [string, Type])[] {
    const [first, second] = this.#itemTypes(node, range)
    const { variable, second: name } = node
    if (name === null) return [[variable, range.kind === 'list' ? second : first]]
    return [
      [variable, first],
      [name, second],
    ]
  }

  /** The types of keys or positions, and of items. */
  #itemTypes(node: Fold, range: Type): readonly [Type, Type] {
    switch (range.kind) {
      case 'list':
        return [INT, parameterAt(range, 0)]
      case 'map':
        return [parameterAt(range, 0), parameterAt(range, 1)]
      case 'dyn':
      case 'error':
      case 'param':
        this.#substitution.isAssignable(DYN, range)
        return [DYN, DYN]
      default:
        this.#error(
          node.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        return [ERROR, ERROR]
    }
  }
}
