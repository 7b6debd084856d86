import type { ConditionStatus } from '../../model/condition.ts'
import type { Instant } from '../language/time-literal.ts'

export type RangeOperator = '<' | '<=' | '>' | '>='

/** Text that a predicate looks at: a column, or a label, which a row may lack. */
export type TextOperand =
  | { readonly source: 'column'; readonly column: string }
  | { readonly source: 'label'; readonly key: string }

/** The same, or what stands at a place in the spec, which is lacking where it is no text. */
export type TextOrSpecOperand =
  | TextOperand
  | { readonly source: 'spec'; readonly path: readonly string[] }

/** An integer that a predicate looks at: a column, or a condition's generation if there is one. */
export type IntOperand =
  | { readonly source: 'column'; readonly column: string }
  | { readonly source: 'condition'; readonly condition: string }

/**
 * A time that a predicate looks at: a column, or one of a condition that a row may lack, namely
 * `last_transition_time` or `last_updated_time`.
 */
export type TimeOperand =
  | { readonly source: 'column'; readonly column: string; readonly nullable: boolean }
  | { readonly source: 'transition'; readonly condition: string }
  | {
      readonly source: 'update'
      readonly condition: string
      /** The kind's adapters, whose reports such a time follows. */
      readonly requiredAdapters: readonly string[]
    }

export interface TextRange {
  readonly type: 'text-range'
  readonly operand: TextOrSpecOperand
  readonly operator: RangeOperator
  readonly value: string
}

/** Equal to one of at least one value, or (negated) to none of them. */
export interface TextIn {
  readonly type: 'text-in'
  readonly operand: TextOperand
  readonly values: readonly string[]
  readonly negated: boolean
}

export interface TextLike {
  readonly type: 'text-like'
  readonly operand: TextOrSpecOperand
  /** `%` and `_` are wildcards and `\` escapes; does not end in an open escape. */
  readonly pattern: string
  /** ASCII letters match in either case. */
  readonly ignoreCase: boolean
  readonly negated: boolean
}

/** Several labels at once, each of its value. */
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

/** A value of that type at that place in the spec: one of at least one, or (negated) none of them. */
export interface SpecIn {
  readonly type: 'spec-in'
  readonly path: readonly string[]
  readonly valueType: 'string' | 'number' | 'boolean'
  /** As JSON, numbers in their canonical form. */
  readonly values: readonly string[]
  readonly negated: boolean
}

/** A number at that place in the spec, against a canonical decimal. */
export interface SpecRange {
  readonly type: 'spec-range'
  readonly path: readonly string[]
  readonly operator: RangeOperator
  readonly value: string
}

/** Nothing, or JSON's null, at that place in the spec. */
interface SpecNull {
  readonly type: 'spec-null'
  readonly path: readonly string[]
  readonly negated: boolean
}

/** The condition is present with one of at least one status. */
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
 * What a search means, bound to columns. There is no NOT: negation sits in the leaves, and every
 * leaf whose label, condition or place in the spec a row lacks does not match, negated or not (but
 * for `-absent` and `-null`). So NULL never has to be told from FALSE, which SQL's three values would ask for under a NOT.
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
