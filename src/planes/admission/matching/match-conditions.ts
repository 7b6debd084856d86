import { errorMessage } from '../../../lib/error-message.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

/** A compiled CEL expression. */
export interface Expression<Variables> {
  /** Rejects if the evaluation fails or takes too many steps. */
  evaluate(variables: Variables): Promise<unknown>
}

/** Compiles CEL. Throws if the expression is invalid. */
export type CompileExpression<Variables> = (text: string) => Expression<Variables>

/** A named condition in CEL that a request must meet. */
export interface MatchCondition<Variables> {
  readonly name: string
  readonly expression: Expression<Variables>
}

/** Parses `matchConditions`. An invalid expression fails when it is evaluated. */
export function parseMatchConditions<Variables>(
  value: JsonValue | undefined,
  compile: CompileExpression<Variables>,
): readonly MatchCondition<Variables>[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((condition) => isJsonObject(condition))
    .map(({ name, expression }) => ({
      name: textOf(name),
      expression: compileLater(textOf(expression), compile),
    }))
}

/** An expression that is compiled at its first evaluation. */
export function compileLater<Variables>(
  text: string,
  compile: CompileExpression<Variables>,
): Expression<Variables> {
  let compiled: Expression<Variables> | null = null
  return {
    evaluate: async (variables) => {
      compiled ??= compile(text)
      return compiled.evaluate(variables)
    },
  }
}

/**
 * Whether all conditions are met. One that is not met decides even if others fail. Otherwise throws
 * the failures of evaluation.
 */
export async function meetsConditions<Variables>(
  conditions: readonly MatchCondition<Variables>[],
  variables: () => Variables,
): Promise<boolean> {
  if (conditions.length === 0) return true
  const values = variables()
  const failures: string[] = []
  for (const { name, expression } of conditions) {
    try {
      if ((await expression.evaluate(values)) !== true) return false
    } catch (error) {
      failures.push(`match condition '${name}': ${errorMessage(error)}`)
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '))
  return true
}
