import { StepLimitError } from '../../lib/cel/cel-error.ts'
import type { CheckedExpression } from '../../lib/cel/check/check-expression.ts'
import { checkText, compileText, type Language } from '../../lib/cel/language.ts'
import { Pause } from '../../lib/cel/run/meter.ts'
import { formatType } from '../../lib/cel/types/type.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { CelValue } from '../../lib/cel/values/value.ts'
import type { EvaluationBudget } from './evaluation-budget.ts'

/** The longest expression, in UTF-16 units. */
const MAX_EXPRESSION = 10_000

/** The values of variables. */
export type Values = Readonly<Record<string, CelValue>>

/** A compiled expression. */
export interface Program {
  /** The type of the result as far as it is known without data, such as `bool` or `dyn`. */
  readonly type: string
  readonly checked: CheckedExpression
  readonly usesVariable: (name: string) => boolean
  /**
   * Resolves with the value, or rejects with a ProgramError with a message for the author. Other
   * events are handled after each slice of the budget.
   */
  readonly evaluate: (values: Values, budget: EvaluationBudget) => Promise<CelValue>
  /** Returns a function that evaluates until it throws a Pause, and then continues if called. */
  readonly start: (values: Values, budget: EvaluationBudget) => () => CelValue
}

/** The expression does not compile, or its evaluation fails. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  /** Whether the budget was exceeded. */
  get isBudgetExceeded(): boolean {
    return this.cause instanceof StepLimitError
  }
}

/** Compiles an expression that must have one of the types, or throws a ProgramError. */
export function compileProgram(
  language: Language,
  text: string,
  types: readonly string[] = [],
): Program {
  requireLength(text)
  const { checked, variables, start } = compiled(language, text)
  const type = formatType(checked.type)
  if (types.length > 0 && type !== 'dyn' && !types.includes(type)) {
    throw new ProgramError(`must evaluate to ${types.join(' or ')}, found ${type}`)
  }
  return {
    type,
    checked,
    usesVariable: (name) => variables.has(name),
    start: (values, budget) => translated(start(values, budget)),
    evaluate: (values, budget) => inSlices(translated(start(values, budget)), budget),
  }
}

function translated(run: () => CelValue): () => CelValue {
  return () => {
    try {
      return run()
    } catch (error) {
      if (error instanceof Pause) throw error
      throw programError(error)
    }
  }
}

async function inSlices(
  run: () => CelValue,
  { slice, pause }: EvaluationBudget,
): Promise<CelValue> {
  try {
    for (;;) {
      try {
        return run()
      } catch (error) {
        if (!(error instanceof Pause)) throw error
      }
      await pause()
    }
  } finally {
    slice.isRepeating = false
  }
}

/** Finds the types of an expression without compiling it, or throws a ProgramError. */
export function checkProgram(language: Language, text: string): CheckedExpression {
  requireLength(text)
  try {
    return checkText(language, text)
  } catch (error) {
    throw programError(error)
  }
}

function requireLength({ length }: string): void {
  if (length <= MAX_EXPRESSION) return
  throw new ProgramError(`must have at most ${MAX_EXPRESSION} characters, found ${length}`)
}

function compiled(language: Language, text: string) {
  try {
    return compileText(language, text)
  } catch (error) {
    throw programError(error)
  }
}

function programError(error: unknown): ProgramError {
  if (error instanceof ProgramError) return error
  return new ProgramError(errorMessage(error), { cause: error })
}
