import type { ASTNode } from '@marcbachmann/cel-js'
import { EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import { nodesOf } from '../../lib/cel/metered.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { CelValue } from './cel-value.ts'
import { BudgetError, type EvaluationBudget, runWithBudget } from './evaluation-budget.ts'
import type { Language } from './language.ts'
import { RESERVED_PREFIX, rewriteExpression, withoutAliases } from './rewrite-expression.ts'

/** The longest expression, in UTF-16 units. */
const MAX_EXPRESSION = 10_000

/** A compiled expression. */
export interface Program {
  /** The type of the result as far as it is known without data, such as `bool` or `dyn`. */
  readonly type: string
  /** The syntax tree, for checks of names. */
  readonly ast: ASTNode
  /** The names of variables and fields that the expression uses. */
  readonly usesVariable: (name: string) => boolean
  /** Returns the value, or throws a ProgramError with a message for the author. */
  readonly evaluate: (
    variables: Readonly<Record<string, CelValue>>,
    budget: EvaluationBudget,
  ) => unknown
}

/** The expression does not compile, or its evaluation fails. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  /** Whether the budget was exceeded. */
  get isBudgetExceeded(): boolean {
    return this.cause instanceof BudgetError
  }
}

/** Compiles an expression that must have one of the types, or throws a ProgramError. */
export function compileProgram(
  language: Language,
  text: string,
  types: readonly string[] = [],
): Program {
  if (text.length > MAX_EXPRESSION) {
    throw new ProgramError(`must have at most ${MAX_EXPRESSION} characters, found ${text.length}`)
  }
  const { ast, type, plain } = checked(language, text)
  if (types.length > 0 && type !== 'dyn' && !types.includes(type)) {
    throw new ProgramError(`must evaluate to ${types.join(' or ')}, found ${type}`)
  }
  const program = parsed(language, rewriteExpression(plain, ast))
  const variables = new Set(nodesOf(ast).flatMap((node) => (node.op === 'id' ? [node.args] : [])))
  return {
    type,
    ast,
    usesVariable: (name) => variables.has(name),
    evaluate: (values, budget) => {
      try {
        return runWithBudget(budget, () => program({ ...values }))
      } catch (error) {
        throw new ProgramError(summaryOf(error), { cause: error })
      }
    },
  }
}

function checked({ source }: Language, text: string) {
  try {
    const original = source.parse(text).ast
    rejectReserved(original)
    const plain = withoutAliases(text, original)
    const { ast, check } = source.parse(plain)
    const { error, type = 'dyn' } = check()
    if (error) throw error
    return { ast, type, plain }
  } catch (error) {
    throw new ProgramError(`${positionOf(text, error)}${summaryOf(error)}`, { cause: error })
  }
}

function parsed({ metered }: Language, text: string) {
  try {
    const program = metered.parse(text)
    // The engine checks types at the first evaluation unless they have been checked.
    program.check()
    return program
  } catch (error) {
    throw new ProgramError(summaryOf(error), { cause: error })
  }
}

/** `cel.bind` can double a text repeatedly. */
function rejectReserved(ast: ASTNode): void {
  for (const node of nodesOf(ast)) {
    if (node.op !== 'rcall' && node.op !== 'call') continue
    const [name] = node.args
    if (name === 'bind' || name.startsWith(RESERVED_PREFIX)) {
      throw new ProgramError(`undeclared reference to '${name}'`)
    }
  }
}

/** The first line of the message: the engine also prints the expression. */
function summaryOf(error: unknown): string {
  return isCelError(error) ? error.summary : errorMessage(error)
}

function positionOf(text: string, error: unknown): string {
  const start = isCelError(error) ? error.range?.start : undefined
  if (start === undefined) return ''
  const before = text.slice(0, start).split('\n')
  return `ERROR: <input>:${before.length}:${(before.at(-1) ?? '').length + 1}: `
}

function isCelError(error: unknown): error is ParseError | EvaluationError | CelTypeError {
  return (
    error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError
  )
}
