import { errorMessage } from '../../../lib/error-message.ts'
import { CelError } from '../../../lib/cel/cel-error.ts'
import type { CelValue } from '../../../lib/cel/values/value.ts'
import { Pause } from '../../../lib/cel/run/meter.ts'
import { ProgramError, type Values } from '../../expressions/compile-program.ts'
import type { EvaluationBudget } from '../../expressions/evaluation-budget.ts'
import { celVariables } from '../expressions/admission-language.ts'
import { lazyVariables } from '../expressions/lazy-variables.ts'
import type { AdmissionVariables } from '../matching/admission-variables.ts'
import type { BoundPolicy, Policy, Validation } from './policy.ts'

/** A violated rule, or a failure that counts as one. */
export interface Violation {
  readonly message: string
  /** Empty for the default reason. */
  readonly reason: string
}

const MAX_MESSAGE = 5 * 1024

/** The violations of a policy's rules. Failures count as violations unless the policy fails open. */
export async function evaluatePolicy(
  policy: Policy,
  variables: AdmissionVariables,
  budget: EvaluationBudget,
): Promise<readonly Violation[]> {
  const values = policyValues(policy, variables, budget)
  const failed = (error: unknown): readonly Violation[] =>
    policy.failsOpen ? [] : [{ message: errorMessage(error), reason: '' }]
  try {
    if (!(await meetsPolicyConditions(policy, values, budget))) return []
  } catch (error) {
    return failed(error)
  }
  const violations: Violation[] = []
  for (const validation of policy.validations) {
    try {
      const isValid = await validation.program().evaluate(values, budget)
      if (isValid !== true) violations.push(await violationOf(validation, values, budget))
    } catch (error) {
      const detail = `expression '${validation.expression}' resulted in error: ${errorMessage(error)}`
      violations.push(...failed(new Error(detail, { cause: error })))
    }
  }
  return violations
}

/** The variables of a policy's expressions. */
export function policyValues(
  { variables, paramKind }: BoundPolicy,
  given: AdmissionVariables,
  budget: EvaluationBudget,
): Values {
  const base = celVariables(given)
  const lazy = new Map<string, () => CelValue>()
  const values: Values = {
    ...base,
    namespaceObject: base['namespaceObject'] ?? null,
    ...(paramKind !== null && { params: base['params'] ?? null }),
    variables: lazyVariables(lazy),
  }
  for (const [index, { name, program }] of variables.entries()) {
    // A variable sees only the ones before it, so that they cannot form a cycle.
    const earlier = lazyVariables(new Map([...lazy].slice(0, index)))
    const start = () => program().start({ ...values, variables: earlier }, budget)
    lazy.set(name, variableOf(start))
  }
  return values
}

/** A failed variable is a failure of the expression that uses it, which can absorb it. */
function variableOf(start: () => () => CelValue): () => CelValue {
  let run: (() => CelValue) | null = null
  return () => {
    run ??= start()
    try {
      return run()
    } catch (error) {
      if (!(error instanceof Pause)) run = null
      throw error instanceof ProgramError && error.cause instanceof CelError ? error.cause : error
    }
  }
}

/** One condition that is not met decides even if others fail. */
export async function meetsPolicyConditions(
  { conditions }: BoundPolicy,
  values: Values,
  budget: EvaluationBudget,
): Promise<boolean> {
  const failures: string[] = []
  for (const { name, program } of conditions) {
    try {
      if ((await program().evaluate(values, budget)) !== true) return false
    } catch (error) {
      failures.push(`match condition '${name}': ${errorMessage(error)}`)
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '))
  return true
}

async function violationOf(
  { expression, message, messageProgram, reason }: Validation,
  values: Values,
  budget: EvaluationBudget,
): Promise<Violation> {
  const computed = messageProgram && (await computedMessage(messageProgram, values, budget))
  const text = computed || message.trim() || `failed expression: ${expression.trim()}`
  return { message: text, reason }
}

/** Empty if the expression fails or its result is not one short line. */
async function computedMessage(
  program: NonNullable<Validation['messageProgram']>,
  values: Values,
  budget: EvaluationBudget,
): Promise<string> {
  try {
    const value = await program().evaluate(values, budget)
    const text = typeof value === 'string' ? value.trim() : ''
    return text.length > MAX_MESSAGE || text.includes('\n') ? '' : text
  } catch {
    return ''
  }
}
