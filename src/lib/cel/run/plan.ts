import type { CheckedExpression } from '../check/check-expression.ts'
import type { Functions } from '../functions/function.ts'
import type { Expression } from '../syntax/expression.ts'
import type { Type } from '../types/type.ts'
import type { Evaluate } from './frame.ts'
import type { Slots } from './slots.ts'

/** The context of a node that is compiled. */
export interface Plan {
  readonly checked: CheckedExpression
  readonly types: ReadonlyMap<string, Type>
  readonly functions: Functions
  readonly slots: Slots
  /** The loops and long calls so far. Their numbers ascend from inner loops to outer ones. */
  readonly loops: { count: number }
  readonly of: (node: Expression) => Evaluate
}
