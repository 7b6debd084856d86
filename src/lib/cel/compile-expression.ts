import type { ASTNode } from '@marcbachmann/cel-js'
import { EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import { errorMessage } from '../error-message.ts'
import type { CelValue } from './cel-value.ts'
import { budget, LANGUAGE, METERED_LANGUAGE, SPEND } from './language.ts'
import { metered, nodesOf } from './metered.ts'

/** The longest expression, in UTF-16 units. */
export const MAX_EXPRESSION = 4096

/** The variables of expressions. */
export interface Variables {
  readonly statuses: CelValue
  readonly resource: CelValue
}

/** A compiled expression. */
export interface Expression {
  /** Returns the value, or throws an Error with a message for the author. */
  readonly evaluate: (variables: Variables) => unknown
}

/** The expression does not compile; the message states the reason. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

/** The required type of an expression. An expression whose type depends on the data is accepted. */
export type ExpressionType = 'bool' | 'any'

/** Compiles an expression, or throws an ExpressionError. */
export function compileExpression(text: string, type: ExpressionType): Expression {
  if (text.trim() === '') throw new ExpressionError('must be a CEL expression, found nothing')
  const { length } = text
  if (length > MAX_EXPRESSION) {
    throw new ExpressionError(`must have at most ${MAX_EXPRESSION} characters, found ${length}`)
  }
  const ast = checked(text, type)
  const program = METERED_LANGUAGE.parse(metered(text, ast))
  return {
    evaluate: (variables) => {
      budget.reset()
      try {
        return program({ ...variables })
      } catch (error) {
        throw new Error(summaryOf(error), { cause: error })
      }
    },
  }
}

function checked(text: string, type: ExpressionType): ASTNode {
  try {
    const { ast, check } = LANGUAGE.parse(text)
    const found = check()
    if (found.error) throw found.error
    rejectUnsupported(ast)
    if (type === 'any' || found.type === type || found.type === 'dyn') return ast
    throw new ExpressionError(`must be of type ${type}, found ${found.type}`)
  } catch (error) {
    if (error instanceof ExpressionError) throw error
    throw new ExpressionError(`is not valid CEL: ${summaryOf(error)}${positionOf(text, error)}`, {
      cause: error,
    })
  }
}

/**
 * The engine's regular expressions can take exponential time; `bind` can double a text repeatedly.
 */
function rejectUnsupported(ast: ASTNode): void {
  for (const node of nodesOf(ast)) {
    if (node.op !== 'rcall' && node.op !== 'call') continue
    const [name] = node.args
    if (name === 'matches') {
      throw new ExpressionError('uses matches: use contains, startsWith or endsWith instead')
    }
    if (name === 'bind' || name === SPEND) throw new ExpressionError(`uses ${name}: remove it`)
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
  return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1} of the expression)`
}

function isCelError(error: unknown): error is ParseError | EvaluationError | CelTypeError {
  return (
    error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError
  )
}
