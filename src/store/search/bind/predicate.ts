import type { ConditionStatus } from '../../model/condition.ts'
import type { Instant } from '../language/time-literal.ts'

export type RangeOperator = '<' | '<=' | '>' | '>='

/** The text operand of a predicate: a column, or a label, which a row may lack. */
export type TextOperand =
  | { readonly source: 'column'; readonly column: string }
  | { readonly source: 'label'; readonly key: string }

/** A text operand, or a value in the spec, which counts as absent unless it is text. */
export type TextOrSpecOperand =
  | TextOperand
  | { readonly source: 'spec'; readonly path: readonly string[] }

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
  | { readonly source: 'column'; readonly column: string; readonly nullable: boolean }
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

export interface TimeCompare {
  readonly type: 'time-compare'
  readonly operand: TimeOperand
  readonly operator: RangeOperator | '=' | '!='
  readonly value: Instant
}

interface ColumnNull {
  readonly type: 'column-null'
  readonly column: string
  readonly negated: boolean
}

/** A value of this type in the spec: one of the values, or (negated) none. At least one value. */
export interface SpecIn {
  readonly type: 'spec-in'
  readonly path: readonly string[]
  readonly valueType: 'string' | 'number' | 'boolean'
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
  | TextIn
  | TextLike
  | LabelsEqual
  | LabelAbsent
  | IntRange
  | IntIn
  | TimeCompare
  | ColumnNull
  | SpecIn
  | SpecRange
  | SpecNull
  | ConditionIn
  | ConditionAbsent

export const TRUE: Predicate = Object.freeze({ type: 'true' })
export const FALSE: Predicate = Object.freeze({ type: 'false' })
