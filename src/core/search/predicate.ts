import type { ConditionStatus } from '../model/condition.ts'

export type RangeOperator = '<' | '<=' | '>' | '>='

/** Text that a predicate looks at: a column, or a label, which a row may lack. */
export type TextOperand =
  | { readonly source: 'column'; readonly column: string }
  | { readonly source: 'label'; readonly key: string }

/**
 * An instant as exact as stored ones, which are whole milliseconds: it is `millisecond` since the
 * epoch, or lies somewhere between that and the next.
 */
export interface Instant {
  readonly millisecond: number
  readonly between: boolean
}

export interface TextRange {
  readonly type: 'text-range'
  readonly operand: TextOperand
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
  readonly operand: TextOperand
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

interface IntRange {
  readonly type: 'int-range'
  readonly column: string
  readonly operator: RangeOperator
  readonly value: number
}

export interface IntIn {
  readonly type: 'int-in'
  readonly column: string
  readonly values: readonly number[]
  readonly negated: boolean
}

export interface TimeCompare {
  readonly type: 'time-compare'
  readonly column: string
  readonly operator: RangeOperator | '=' | '!='
  readonly value: Instant
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
 * leaf whose label or condition a row lacks does not match, negated or not (but for `-absent`).
 * So NULL never has to be told from FALSE, which SQL's three values would ask for under a NOT.
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
  | ConditionIn
  | ConditionAbsent

export const TRUE: Predicate = Object.freeze({ type: 'true' })
export const FALSE: Predicate = Object.freeze({ type: 'false' })
