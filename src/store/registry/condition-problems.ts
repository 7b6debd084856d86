import { quoteValue } from '../../lib/json/quote-value.ts'
import {
  compileExpression,
  ExpressionError,
  type ExpressionType,
} from '../../lib/cel/compile-expression.ts'
import { AGGREGATED_TYPES } from '../model/condition.ts'
import type { ConditionRule } from './condition-rule.ts'
import type { Kind } from './kind.ts'
import type { MemberProblem } from './kind-problem.ts'

/** A limit, because every report on a resource evaluates all rules of its kind. */
const MAX_RULES = 20
const MAX_TYPE = 100
const TYPE = /^[A-Za-z][A-Za-z0-9]*$/

/** The server's own conditions. All of their types are reserved, because any adapter can report. */
const AGGREGATED: ReadonlySet<string> = new Set(AGGREGATED_TYPES)
const OF_ADAPTERS = /Successful$/

/** The problems of a kind's mapped conditions. Compiles their expressions. */
export function conditionProblems({ conditions = [] }: Kind): MemberProblem[] {
  const problems = conditions.flatMap((rule, index) => {
    const before = conditions.slice(0, index).map(({ type }) => type)
    const texts: ConditionRule<string | null, string | null> = {
      type: typeProblem(rule.type, before),
      when: expressionProblem(rule.when, 'bool'),
      status: expressionProblem(rule.status, 'any'),
      reason: expressionProblem(rule.reason, 'any'),
      message: expressionProblem(rule.message, 'any'),
    }
    return Object.entries(texts).flatMap(([member, text]) => {
      return text === null ? [] : [{ member: ['conditions', index, member], text }]
    })
  })
  if (conditions.length <= MAX_RULES) return problems
  const text = `has ${conditions.length} rules: at most ${MAX_RULES} are possible`
  return [{ member: ['conditions'], text }, ...problems]
}

function typeProblem(type: string, before: readonly string[]): string | null {
  if (!TYPE.test(type) || type.length > MAX_TYPE) {
    const rule = `must be a letter, then letters and digits, at most ${MAX_TYPE} together`
    return `${rule}, found ${quoteValue(type)}`
  }
  if (AGGREGATED.has(type)) return `'${type}' is a condition of the server: choose another`
  if (OF_ADAPTERS.test(type)) {
    return `'${type}' ends with Successful, as the conditions of adapters do: choose another`
  }
  return before.includes(type) ? `'${type}' is declared twice: choose another` : null
}

function expressionProblem(text: string, type: ExpressionType): string | null {
  try {
    compileExpression(text, type)
    return null
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}
