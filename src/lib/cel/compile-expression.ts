import { errorMessage } from '../error-message.ts'
import { CelSyntaxError, StepLimitError } from './cel-error.ts'
import type { MappingValue } from './mapping-value.ts'
import { COLLECTIONS, compileText, createLanguage, STANDARD } from './language.ts'
import { MAPPING_FUNCTIONS } from './mapping-functions.ts'
import { formatType } from './types/type.ts'

/** The longest expression, in UTF-16 units. */
export const MAX_EXPRESSION = 4096

/** Enough to look at all conditions of a hundred adapters; at most 40 ms of CPU. */
const MAX_STEPS = 200_000

const LANGUAGE = createLanguage({
  functions: [...STANDARD, ...COLLECTIONS, ...MAPPING_FUNCTIONS],
  variables: { statuses: 'list<dyn>', resource: 'dyn' },
  maxNodes: 3000,
})

/** The variables of expressions. */
export interface Variables {
  readonly statuses: MappingValue
  readonly resource: MappingValue
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
  const program = compiled(text)
  const found = formatType(program.checked.type)
  if (type !== 'any' && found !== type && found !== 'dyn') {
    throw new ExpressionError(`must be of type ${type}, found ${found}`)
  }
  return {
    evaluate: ({ statuses, resource }) => {
      try {
        return program.evaluate({ statuses, resource }, createMeter())
      } catch (error) {
        throw new Error(errorMessage(error), { cause: error })
      }
    },
  }
}

function createMeter(): (steps: number) => void {
  let left = MAX_STEPS
  return (steps) => {
    left -= steps
    if (left < 0) {
      throw new StepLimitError(`the expression takes more than ${MAX_STEPS} steps`)
    }
  }
}

function compiled(text: string) {
  try {
    return compileText(LANGUAGE, text)
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error
    throw new ExpressionError(`is not valid CEL: ${summaryOf(error)}`, { cause: error })
  }
}

/** The first error with its place, without the picture of the line. */
function summaryOf({ message }: CelSyntaxError): string {
  const match = /^ERROR: <input>:(\d+):(\d+): ([^\n]*)/.exec(message)
  if (!match) return message
  const [, line = '', column = '', problem = ''] = match
  return `${problem} (line ${line}, column ${column} of the expression)`
}
