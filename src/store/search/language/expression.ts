import type { Span } from './span.ts'

export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>='

export interface StringLiteral {
  readonly type: 'string'
  readonly value: string
  /** The text as written if it is not in single quotes. */
  readonly written?: string
  readonly span: Span
}

interface NumberLiteral {
  readonly type: 'number'
  /** As written, without blanks after the sign. Comparisons with text use this form. */
  readonly text: string
  /** The value: the text, or its product with the suffix of size. */
  readonly decimal: string
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

/** One side of a comparison. */
export type Operand = Field | Literal

/** Whether the operand is a field. */
export function isField(operand: Operand): operand is Field {
  return operand.type === 'name' || operand.type === 'label' || operand.type === 'spec'
}

/** Whether the operand is a literal. */
export function isLiteral(operand: Operand): operand is Literal {
  return !isField(operand)
}

interface Compare extends Leaf {
  readonly type: 'compare'
  readonly operator: ComparisonOperator
  readonly value: Literal
}

export interface CompareFields extends Leaf {
  readonly type: 'compare-fields'
  readonly operator: ComparisonOperator
  /** The field on the right. */
  readonly other: Field
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

/** A comparison of a field with literals. */
export type Comparison = Compare | In | Like | Between | IsNull

/** `true` or `false` in place of a comparison. */
export interface Constant {
  readonly type: 'constant'
  readonly value: boolean
  readonly span: Span
}

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
export type Expression = Chain | Not | Comparison | CompareFields | Constant
