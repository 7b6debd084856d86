import type { Span } from './span.ts'

export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>='

export interface StringLiteral {
  readonly type: 'string'
  readonly value: string
  readonly span: Span
}

interface NumberLiteral {
  readonly type: 'number'
  /** As written, without blanks after the sign. Comparisons with text use this form. */
  readonly text: string
  readonly span: Span
}

interface BooleanLiteral {
  readonly type: 'boolean'
  readonly value: boolean
  readonly span: Span
}

export type Literal = StringLiteral | NumberLiteral | BooleanLiteral

/** The field of a comparison: a dotted name, a label by its key, or a path in the spec. */
export type Field =
  | { readonly type: 'name'; readonly name: string; readonly span: Span }
  | { readonly type: 'label'; readonly key: string; readonly span: Span }
  | { readonly type: 'spec'; readonly path: readonly string[]; readonly span: Span }

interface Leaf {
  readonly field: Field
  /** The span of the operator, without the `not` of `not in`. */
  readonly operatorSpan: Span
  readonly span: Span
}

interface Compare extends Leaf {
  readonly type: 'compare'
  readonly operator: ComparisonOperator
  readonly value: Literal
}

export interface In extends Leaf {
  readonly type: 'in'
  readonly values: readonly Literal[]
}

export interface Like extends Leaf {
  readonly type: 'like'
  readonly pattern: StringLiteral
  /** Whether the operator is ILIKE, which ignores the case of ASCII letters. */
  readonly ignoreCase: boolean
}

export interface Between extends Leaf {
  readonly type: 'between'
  readonly low: Literal
  readonly high: Literal
}

export interface IsNull extends Leaf {
  readonly type: 'is-null'
}

export type Comparison = Compare | In | Like | Between | IsNull

/** AND or OR of at least two operands, as written: a chain in brackets is a separate node. */
export interface Chain {
  readonly type: 'and' | 'or'
  readonly operands: readonly Expression[]
  readonly span: Span
}

interface Not {
  readonly type: 'not'
  readonly operand: Expression
  readonly span: Span
}

/** A parsed search, before its fields are resolved. */
export type Expression = Chain | Not | Comparison
