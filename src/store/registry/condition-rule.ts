import { compareText } from '../../lib/text/compare-text.ts'
import { compileExpression, type Expression } from '../../lib/cel/compile-expression.ts'

/** A resource condition that CEL expressions derive from the adapters' reports. */
export interface ConditionRule<Value = string, Type = string> {
  /** Type of the condition. */
  readonly type: Type
  /** Whether the resource has the condition. */
  readonly when: Value
  /** Its status, `True` or `False`. */
  readonly status: Value
  readonly reason: Value
  readonly message: Value
}

export type CompiledRule = ConditionRule<Expression>

/** Compiles valid rules and sorts them by type, which is their order in resources. */
export function compileRules(rules: readonly ConditionRule[]): readonly CompiledRule[] {
  return rules
    .map(({ type, when, status, reason, message }) => ({
      type,
      when: compileExpression(when, 'bool'),
      status: compileExpression(status, 'any'),
      reason: compileExpression(reason, 'any'),
      message: compileExpression(message, 'any'),
    }))
    .toSorted((one, other) => compareText(one.type, other.type))
}
