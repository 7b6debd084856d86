import type { Span } from './span.ts'

export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>='

export interface StringLiteral {
  readonly type: 'string'
  readonly value: string
  readonly span: Span
}

interface NumberLiteral {
  readonly type: 'number'
  /** As written, without blanks between sign and digits: what it compares as against text. */
  readonly text: string
  readonly span: Span
}

interface BooleanLiteral {
  readonly type: 'boolean'
  readonly value: boolean
  readonly span: Span
}

export type Literal = StringLiteral | NumberLiteral | BooleanLiteral

/** What a comparison is about: a dotted name, a label by its key, or a place in the spec. */
export type Field =
  | { readonly type: 'name'; readonly name: string; readonly span: Span }
  | { readonly type: 'label'; readonly key: string; readonly span: Span }
  | { readonly type: 'spec'; readonly path: readonly string[]; readonly span: Span }

interface Leaf {
  readonly field: Field
  /** Where the operator stands; a negation (`not in`) is outside of it. */
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
  /** ILIKE: ASCII letters in either case. */
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

/** AND or OR of at least two operands, as written: brackets keep their own node. */
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

/** A parsed search: the user's words, before anything is known about fields. */
export type Expression = Chain | Not | Comparison
