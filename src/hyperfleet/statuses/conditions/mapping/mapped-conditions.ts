import { errorMessage } from '../../../../lib/error-message.ts'
import type { Expression, Variables } from '../../../../lib/cel/compile-expression.ts'
import type { ResourceCondition } from '../../../../store/model/condition.ts'
import type { CompiledRule } from '../../../../store/registry/condition-rule.ts'

const MAX_REASON = 256
const MAX_MESSAGE = 2048

/** The reason of a condition whose expressions fail. */
export const MAPPING_FAILED = 'ConditionMappingFailed'

interface MappingInput {
  readonly rules: readonly CompiledRule[]
  /** The variables of the expressions; null keeps the mapped conditions. */
  readonly variables: Variables | null
  readonly generation: number
  /** The resource's conditions as stored. */
  readonly previous: readonly ResourceCondition[]
  readonly now: Date
}

type Outcome = Pick<ResourceCondition, 'status'> & {
  readonly reason: string
  readonly message: string
}

/**
 * Evaluates a kind's rules, in their order. A rule that fails yields a False condition that names
 * the failure, so that a failing expression never rejects a report.
 */
export function mappedConditions(input: MappingInput): readonly ResourceCondition[] {
  const { rules, variables, generation, now } = input
  if (rules.length === 0) return []
  const previous = new Map(input.previous.map((condition) => [condition.type, condition]))
  return rules.flatMap((rule) => {
    const before = previous.get(rule.type)
    if (variables === null) return before ? [before] : []
    const outcome = outcomeOf(rule, variables)
    if (outcome === null) return []
    const time = now.toISOString()
    return [
      {
        type: rule.type,
        ...outcome,
        observed_generation: generation,
        created_time: before?.created_time ?? time,
        last_updated_time: time,
        last_transition_time:
          before?.status === outcome.status ? before.last_transition_time : time,
      },
    ]
  })
}

/** Null if the rule omits the condition. */
function outcomeOf(rule: CompiledRule, variables: Variables): Outcome | null {
  let field = 'when'
  const textOf = (name: 'status' | 'reason' | 'message'): string => {
    field = name
    return text(rule[name], variables)
  }
  try {
    if (!isMet(rule.when, variables)) return null
    return {
      status: statusOf(textOf('status')),
      reason: short(textOf('reason')),
      message: cut(textOf('message'), MAX_MESSAGE),
    }
  } catch (error) {
    const message = cut(`The expression of ${field} failed: ${errorMessage(error)}`, MAX_MESSAGE)
    return { status: 'False', reason: MAPPING_FAILED, message }
  }
}

function isMet(when: Expression, variables: Variables): boolean {
  const value = when.evaluate(variables)
  if (typeof value !== 'boolean') throw new Error(`it must be true or false, found ${typeof value}`)
  return value
}

function text(expression: Expression, variables: Variables): string {
  const value = expression.evaluate(variables)
  switch (typeof value) {
    case 'string':
      return storable(value)
    case 'boolean':
      return value ? 'True' : 'False'
    case 'number':
    case 'bigint':
      return String(value)
    default:
      if (value === null) return ''
      throw new Error('it must be text, a number, true, false or null')
  }
}

function statusOf(value: string): 'True' | 'False' {
  const lower = value.toLowerCase()
  if (lower === 'true') return 'True'
  if (lower === 'false') return 'False'
  throw new Error(`it must be True or False, found '${cut(value, 40)}'`)
}

function short(reason: string): string {
  if (reason.length <= MAX_REASON) return reason
  throw new Error(`it has ${reason.length} characters, at most ${MAX_REASON} are possible`)
}

/** Truncates a text without splitting a character. */
function cut(value: string, length: number): string {
  return Array.from(value.slice(0, 2 * length))
    .slice(0, length)
    .join('')
}

/** Removes characters that PostgreSQL cannot store; expressions can build any text. */
function storable(value: string): string {
  return value.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '')
}
