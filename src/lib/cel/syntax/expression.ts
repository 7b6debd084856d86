import type { CelValue } from '../values/value.ts'

/** A node of an expression, at an offset of the text. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | CreateList
  | CreateMap
  | CreateStruct
  | Fold

interface Node {
  readonly at: number
}

export interface Literal extends Node {
  readonly kind: 'literal'
  readonly value: CelValue
}

export interface Identifier extends Node {
  readonly kind: 'identifier'
  readonly name: string
}

/** `a.b`, or `has(a.b)` if it is a test. */
export interface Select extends Node {
  readonly kind: 'select'
  readonly operand: Expression
  readonly field: string
  readonly isTest: boolean
}

/** A call of a function or operator. Operators have names such as `_+_`. */
export interface Call extends Node {
  readonly kind: 'call'
  readonly name: string
  readonly target: Expression | null
  readonly args: readonly Expression[]
}

/** `[a, ?b]`. */
export interface CreateList extends Node {
  readonly kind: 'list'
  readonly items: readonly { readonly value: Expression; readonly isOptional: boolean }[]
}

/** `{a: b, ?c: d}`. */
export interface CreateMap extends Node {
  readonly kind: 'map'
  readonly entries: readonly {
    readonly key: Expression
    readonly value: Expression
    readonly isOptional: boolean
  }[]
}

/** `a.B{c: d}`. */
export interface CreateStruct extends Node {
  readonly kind: 'struct'
  readonly name: string
  readonly fields: readonly {
    readonly name: string
    readonly value: Expression
    readonly isOptional: boolean
  }[]
}

/**
 * A loop, to which macros expand: computes an accumulator from the items of a range while the
 * condition holds.
 */
export interface Fold extends Node {
  readonly kind: 'fold'
  readonly range: Expression
  readonly variable: string
  /** The second variable; null if the loop has one. */
  readonly second: string | null
  readonly accumulator: string
  readonly initial: Expression
  readonly condition: Expression
  readonly step: Expression
  readonly result: Expression
}

/** The accumulator of macros. Authors cannot write this name. */
export const ACCUMULATOR = '@result'

/** The name of a chain of fields such as `a.b.c`; null for other expressions. */
export function qualifiedName(node: Expression): string | null {
  if (node.kind === 'identifier') return node.name
  if (node.kind !== 'select' || node.isTest) return null
  const prefix = qualifiedName(node.operand)
  return prefix === null ? null : `${prefix}.${node.field}`
}
