import type { ConditionStatus } from '../../model/condition.ts'
import type { ComparisonOperator } from '../language/expression.ts'
import type { Instant } from '../language/time-literal.ts'

export type RangeOperator = '<' | '<=' | '>' | '>='

/**
 * The text operand of a predicate: a column, a label or the reason of a condition, which a row may
 * lack, or derived text.
 */
export type TextOperand =
  | {
      readonly source: 'column'
      readonly column: string
      /** The value of rows without text; every row has text if there is none. */
      readonly absence?: 'null' | 'empty'
    }
  | { readonly source: 'label'; readonly key: string }
  | { readonly source: 'reason'; readonly condition: string }
  | { readonly source: 'prefixed'; readonly prefix: string; readonly column: string }
  | { readonly source: 'constant'; readonly value: string | null }

/**
 * A text operand, or a value in the spec. It counts as absent unless it is text (`spec`), or text, a
 * number or a boolean, as text (`spec-text`).
 */
export type TextOrSpecOperand =
  | TextOperand
  | { readonly source: 'spec' | 'spec-text'; readonly path: readonly string[] }

/**
 * The integer operand of a predicate: a column, or a condition's generation, which a row may lack.
 */
export type IntOperand =
  | { readonly source: 'column'; readonly column: string }
  | { readonly source: 'condition'; readonly condition: string }

/**
 * The time operand of a predicate: a column, or `last_transition_time` or `last_updated_time` of a
 * condition, which a row may lack.
 */
export type TimeOperand =
  | { readonly source: 'column'; readonly column: string; readonly absence?: 'null' | 'empty' }
  | { readonly source: 'transition'; readonly condition: string }
  | {
      readonly source: 'update'
      readonly condition: string
      /** The kind's adapters, whose reports set this time. */
      readonly requiredAdapters: readonly string[]
    }

export interface TextRange {
  readonly type: 'text-range'
  readonly operand: TextOrSpecOperand
  readonly operator: RangeOperator
  readonly value: string
}

/** Equal to one of the values, or (negated) to none. There is at least one value. */
export interface TextIn {
  readonly type: 'text-in'
  readonly operand: TextOperand
  readonly values: readonly string[]
  readonly negated: boolean
}

/** A comparison of two operands of a row. Never matches if one is absent. */
export interface TextCompare {
  readonly type: 'text-compare'
  readonly operands: readonly [left: TextOrSpecOperand, right: TextOrSpecOperand]
  readonly operator: ComparisonOperator
}

export interface TextLike {
  readonly type: 'text-like'
  readonly operand: TextOrSpecOperand
  /** `%` and `_` are wildcards, `\` escapes. Does not end with an unescaped `\`. */
  readonly pattern: string
  /** Whether ASCII letters match in either case. */
  readonly ignoreCase: boolean
  readonly negated: boolean
}

/** Several labels, each with its value. */
interface LabelsEqual {
  readonly type: 'labels-equal'
  readonly labels: ReadonlyMap<string, string>
}

interface LabelAbsent {
  readonly type: 'label-absent'
  readonly key: string
  readonly negated: boolean
}

export interface IntRange {
  readonly type: 'int-range'
  readonly operand: IntOperand
  readonly operator: RangeOperator
  readonly value: number
}

export interface IntIn {
  readonly type: 'int-in'
  readonly operand: IntOperand
  readonly values: readonly number[]
  readonly negated: boolean
}

/** A comparison of two integers of a row. Never matches if one is absent. */
export interface IntCompare {
  readonly type: 'int-compare'
  readonly operands: readonly [left: IntOperand, right: IntOperand]
  readonly operator: ComparisonOperator
}

/** A comparison of two columns of times. Never matches if one is absent. */
export interface TimesCompare {
  readonly type: 'times-compare'
  readonly columns: readonly [left: string, right: string]
  readonly operator: ComparisonOperator
}

export interface TimeCompare {
  readonly type: 'time-compare'
  readonly operand: TimeOperand
  readonly operator: ComparisonOperator
  readonly value: Instant
}

export interface ColumnNull {
  readonly type: 'column-null'
  readonly column: string
  readonly absence: 'null' | 'empty'
  readonly negated: boolean
}

/** A value in the spec: one of the values, or (negated) present and none. At least one value. */
export interface SpecIn {
  readonly type: 'spec-in'
  readonly path: readonly string[]
  /** As JSON, numbers in their canonical form. */
  readonly values: readonly string[]
  readonly negated: boolean
}

/** A comparison of a number in the spec with a canonical decimal. */
export interface SpecRange {
  readonly type: 'spec-range'
  readonly path: readonly string[]
  readonly operator: RangeOperator
  readonly value: string
}

/** A comparison of two values in the spec. Matches only numbers. */
export interface SpecCompare {
  readonly type: 'spec-compare'
  readonly paths: readonly [left: readonly string[], right: readonly string[]]
  readonly operator: RangeOperator
}

/** An absent value, or JSON null, in the spec. */
interface SpecNull {
  readonly type: 'spec-null'
  readonly path: readonly string[]
  readonly negated: boolean
}

/** The condition is present with one of the statuses. There is at least one status. */
export interface ConditionIn {
  readonly type: 'condition-in'
  readonly condition: string
  readonly statuses: readonly ConditionStatus[]
}

interface ConditionAbsent {
  readonly type: 'condition-absent'
  readonly condition: string
}

export interface Junction {
  readonly type: 'and' | 'or'
  readonly operands: readonly Predicate[]
}

/**
 * A search that is bound to columns. There is no NOT: negation is part of the leaves. Except for
 * `-absent` and `-null`, a leaf never matches a row without its label, condition or value in the
 * spec, negated or not. NULL and FALSE are therefore equivalent, which they would not be under NOT.
 */
export type Predicate =
  | { readonly type: 'true' }
  | { readonly type: 'false' }
  | Junction
  | TextRange
  | TextCompare
  | TextIn
  | TextLike
  | LabelsEqual
  | LabelAbsent
  | IntRange
  | IntIn
  | IntCompare
  | TimeCompare
  | TimesCompare
  | ColumnNull
  | SpecIn
  | SpecRange
  | SpecCompare
  | SpecNull
  | ConditionIn
  | ConditionAbsent

export const TRUE: Predicate = Object.freeze({ type: 'true' })
export const FALSE: Predicate = Object.freeze({ type: 'false' })
