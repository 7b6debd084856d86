import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { objectOf, objectsOf } from '../../../lib/json/json-fields.ts'
import { forbiddenValue, requiredValue, unsupportedValue } from '../../errors/field-errors.ts'
import { compileProgram } from '../../expressions/compile-program.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import {
  MUTATING_ADMISSION_POLICY_BINDING_TYPE,
  MUTATING_ADMISSION_POLICY_TYPE,
} from '../../native/admission-registration/mutating-policy-types.ts'
import { policyLanguage } from '../expressions/admission-language.ts'
import { mutationLanguage } from '../expressions/mutation-language.ts'
import { CONFIGURATION_RESULT, PATCH_RESULT } from '../policies/mutating-policy.ts'
import {
  constraintErrors,
  paramKindErrors,
  paramRefErrors,
  variableErrors,
} from './admission-policies.ts'
import { expressionErrors, itemErrors, matchConditionErrors } from './expression-errors.ts'

const REINVOCATION = ['IfNeeded', 'Never']

/** The member of a mutation with its expression, and the type of the result. */
const PATCH_TYPES: ReadonlyMap<JsonValue, readonly [member: string, result: string]> = new Map([
  ['ApplyConfiguration', ['applyConfiguration', CONFIGURATION_RESULT]],
  ['JSONPatch', ['jsonPatch', PATCH_RESULT]],
])

async function policyErrors(object: ApiObject): Promise<readonly FieldError[]> {
  const spec = objectOf(object['spec'])
  const { paramKind, matchConstraints, mutations, reinvocationPolicy = '' } = spec
  const hasParams = isJsonObject(paramKind)
  const language = policyLanguage(hasParams)
  return [
    ...(isJsonObject(matchConstraints)
      ? constraintErrors('spec.matchConstraints', matchConstraints, true)
      : [requiredValue('spec.matchConstraints')]),
    ...paramKindErrors(paramKind),
    ...(await matchConditionErrors('spec.matchConditions', spec['matchConditions'], (text) =>
      compileProgram(language, text, ['bool']),
    )),
    ...(await variableErrors(spec['variables'], language)),
    ...(objectsOf(mutations).length === 0
      ? [requiredValue('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...(await itemErrors('spec.mutations', mutations, (field, mutation) =>
      mutationErrors(field, mutation, hasParams),
    )),
    ...choiceErrors('spec.reinvocationPolicy', reinvocationPolicy, REINVOCATION),
  ]
}

function mutationErrors(
  field: string,
  mutation: JsonObject,
  hasParams: boolean,
): readonly FieldError[] {
  const { patchType = '' } = mutation
  const declared = PATCH_TYPES.get(patchType)
  if (!declared) return choiceErrors(`${field}.patchType`, patchType, [...PATCH_NAMES])
  const [member, result] = declared
  const other = member === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch'
  const value = mutation[member]
  return [
    ...(isJsonObject(value)
      ? expressionErrors(`${field}.${member}.expression`, value['expression'], (text) =>
          compileProgram(mutationLanguage(hasParams), text, [result]),
        )
      : [requiredValue(`${field}.${member}`)]),
    ...(mutation[other] === undefined
      ? []
      : [forbiddenValue(`${field}.${other}`, `must not be set beside ${member}`)]),
  ]
}

const PATCH_NAMES = ['ApplyConfiguration', 'JSONPatch']

function choiceErrors(
  field: string,
  value: JsonValue,
  choices: readonly string[],
): readonly FieldError[] {
  if (value === '') return [requiredValue(field)]
  const isKnown = typeof value === 'string' && choices.includes(value)
  return isKnown ? [] : [unsupportedValue(field, value, choices)]
}

function bindingErrors(object: ApiObject): readonly FieldError[] {
  const { policyName = '', paramRef, matchResources } = objectOf(object['spec'])
  return [
    ...(policyName === '' ? [requiredValue('spec.policyName')] : []),
    ...(isJsonObject(paramRef) ? paramRefErrors(paramRef) : []),
    ...(isJsonObject(matchResources)
      ? constraintErrors('spec.matchResources', matchResources, false)
      : []),
  ]
}

/** Policies in CEL that change objects. */
export const MUTATING_ADMISSION_POLICIES: NativeResource = {
  type: MUTATING_ADMISSION_POLICY_TYPE,
  strategy: { validate: policyErrors },
  isConfiguration: true,
}

/** Bindings of mutating policies. */
export const MUTATING_ADMISSION_POLICY_BINDINGS: NativeResource = {
  type: MUTATING_ADMISSION_POLICY_BINDING_TYPE,
  strategy: { validate: bindingErrors },
  isConfiguration: true,
}
