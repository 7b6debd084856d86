import type { Language } from '../../../lib/cel/language.ts'
import { lazy } from '../../../lib/lazy.ts'
import { mapOf, DYN, STRING } from '../../../lib/cel/types/type.ts'
import type { CelValue } from '../../../lib/cel/values/value.ts'
import { celValueOfJson } from '../../expressions/cel-value.ts'
import { compileProgram, type Program } from '../../expressions/compile-program.ts'
import { createEvaluationBudget } from '../../expressions/evaluation-budget.ts'
import { AUTHORIZER_TYPE } from '../../expressions/functions/authorizer.ts'
import { createLanguage } from '../../expressions/language.ts'
import type { AdmissionVariables } from '../matching/admission-variables.ts'
import type { CompileExpression } from '../matching/match-conditions.ts'

const REQUEST = {
  object: 'dyn',
  oldObject: 'dyn',
  request: 'dyn',
  authorizer: AUTHORIZER_TYPE,
} as const
const POLICY = { ...REQUEST, namespaceObject: 'dyn', variables: mapOf(STRING, DYN) } as const

/** The variables of webhooks' match conditions. A server starts without the languages. */
const webhookLanguage = lazy(() => createLanguage(REQUEST))
const languageWithoutParams = lazy(() => createLanguage(POLICY))
const languageWithParams = lazy(() => createLanguage({ ...POLICY, params: 'dyn' }))

/** The most steps of a match condition of a webhook. */
const MATCH_STEPS = 100_000

/** The language of a policy's expressions. `params` exists only if the policy has a `paramKind`. */
export function policyLanguage(hasParams: boolean): Language {
  return hasParams ? languageWithParams() : languageWithoutParams()
}

/** Compiles a match condition of a webhook. Throws a ProgramError if it is invalid. */
export function compileMatchCondition(text: string): Program {
  return compileProgram(webhookLanguage(), text, ['bool'])
}

/** Compiles match conditions for the admission of requests. */
export const matchConditionCompiler: CompileExpression<AdmissionVariables> = (text) => {
  const program = compileMatchCondition(text)
  return {
    evaluate: (variables) =>
      program.evaluate(celVariables(variables), createEvaluationBudget(MATCH_STEPS)),
  }
}

/** Large objects are converted once for all expressions of a request. */
const converted = new WeakMap<object, CelValue>()

function celValueOnce(value: AdmissionVariables['object']): CelValue {
  if (typeof value !== 'object' || value === null) return celValueOfJson(value)
  const known = converted.get(value)
  if (known !== undefined) return known
  const result = celValueOfJson(value)
  converted.set(value, result)
  return result
}

/** The variables of a request as CEL values. */
export function celVariables(variables: AdmissionVariables): Record<string, CelValue> {
  const { object, oldObject, request, authorizer, namespaceObject, params } = variables
  return {
    object: celValueOnce(object),
    oldObject: celValueOnce(oldObject),
    request: celValueOnce(request),
    authorizer,
    ...(namespaceObject !== undefined && { namespaceObject: celValueOnce(namespaceObject) }),
    ...(params !== undefined && { params: celValueOnce(params) }),
  }
}
