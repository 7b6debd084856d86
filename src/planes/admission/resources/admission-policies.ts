import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../../errors/field-errors.ts'
import { compileProgram, type Program } from '../../expressions/compile-program.ts'
import type { Language } from '../../../lib/cel/language.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import {
  VALIDATING_ADMISSION_POLICY_BINDING_TYPE,
  VALIDATING_ADMISSION_POLICY_TYPE,
} from '../../native/admission-registration/policy-types.ts'
import { labelSelectorErrors } from '../../selectors/label-selector-object.ts'
import { policyLanguage } from '../expressions/admission-language.ts'
import { expressionErrors, itemErrors, matchConditionErrors } from './expression-errors.ts'
import { ruleErrors, selectorErrors } from './rule-errors.ts'
import { objectsOf } from '../../../lib/json/json-fields.ts'

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']
const ACTIONS = ['Audit', 'Deny', 'Warn']
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

async function policyErrors(object: ApiObject): Promise<readonly FieldError[]> {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {}
  const { paramKind, matchConstraints, validations, auditAnnotations, variables } = spec
  const language = policyLanguage(isJsonObject(paramKind))
  const hasRules = objectsOf(validations).length + objectsOf(auditAnnotations).length > 0
  return [
    ...(hasRules
      ? []
      : [requiredValue('spec.validations', 'validations or auditAnnotations must contain items')]),
    ...(isJsonObject(matchConstraints)
      ? constraintErrors('spec.matchConstraints', matchConstraints, true)
      : [requiredValue('spec.matchConstraints')]),
    ...paramKindErrors(paramKind),
    ...(await matchConditionErrors('spec.matchConditions', spec['matchConditions'], (text) =>
      compileProgram(language, text, ['bool']),
    )),
    ...(await variableErrors(variables, language)),
    ...(await itemErrors('spec.validations', validations, (field, validation) =>
      validationErrors(field, validation, language),
    )),
    ...(await itemErrors('spec.auditAnnotations', auditAnnotations, (field, { valueExpression }) =>
      expressionErrors(`${field}.valueExpression`, valueExpression, (text) =>
        compileProgram(language, text),
      ),
    )),
  ]
}

/** The violations of `spec.paramKind`. */
export function paramKindErrors(paramKind: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonObject(paramKind)) return []
  return ['apiVersion', 'kind']
    .filter((member) => (paramKind[member] ?? '') === '')
    .map((member) => requiredValue(`spec.paramKind.${member}`))
}

/** The violations of `spec.variables`. */
export async function variableErrors(
  variables: JsonValue | undefined,
  language: Language,
): Promise<readonly FieldError[]> {
  const seen = new Set<JsonValue>()
  return itemErrors('spec.variables', variables, (field, { name = '', expression }) => {
    const isIdentifier = typeof name === 'string' && IDENTIFIER.test(name)
    const isDuplicate = seen.has(name)
    seen.add(name)
    return [
      ...(isIdentifier
        ? []
        : [invalidValue(`${field}.name`, name, 'name is not a valid CEL identifier')]),
      ...(isDuplicate ? [duplicateValue(`${field}.name`, name)] : []),
      ...expressionErrors(`${field}.expression`, expression, (text) =>
        compileProgram(language, text),
      ),
    ]
  })
}

function validationErrors(
  field: string,
  { expression, message = '', messageExpression = '', reason = '' }: JsonObject,
  language: Language,
): readonly FieldError[] {
  const compile =
    (type: string) =>
    (text: string): Program =>
      compileProgram(language, text, [type])
  const isOneLine = typeof message !== 'string' || !/[\r\n]/.test(message.trim())
  return [
    ...expressionErrors(`${field}.expression`, expression, compile('bool')),
    ...(isOneLine
      ? []
      : [invalidValue(`${field}.message`, message, 'message must not contain line breaks')]),
    ...(messageExpression === ''
      ? []
      : expressionErrors(`${field}.messageExpression`, messageExpression, compile('string'))),
    ...(reason === '' || (typeof reason === 'string' && REASONS.includes(reason))
      ? []
      : [unsupportedValue(`${field}.reason`, reason, REASONS)]),
  ]
}

/** The violations of a selection of requests. */
export function constraintErrors(
  field: string,
  constraints: JsonObject,
  requiresRules: boolean,
): readonly FieldError[] {
  const { resourceRules, excludeResourceRules } = constraints
  const isMissing = requiresRules && objectsOf(resourceRules).length === 0
  return [
    ...(isMissing ? [requiredValue(`${field}.resourceRules`)] : []),
    ...ruleErrors(`${field}.resourceRules`, resourceRules),
    ...ruleErrors(`${field}.excludeResourceRules`, excludeResourceRules),
    ...selectorErrors(field, constraints),
  ]
}

function bindingErrors(object: ApiObject): readonly FieldError[] {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {}
  const { policyName = '', paramRef, matchResources } = spec
  return [
    ...(policyName === '' ? [requiredValue('spec.policyName')] : []),
    ...(isJsonObject(paramRef) ? paramRefErrors(paramRef) : []),
    ...(isJsonObject(matchResources)
      ? constraintErrors('spec.matchResources', matchResources, false)
      : []),
    ...actionErrors(spec['validationActions']),
  ]
}

/** The violations of `spec.paramRef`. */
export function paramRefErrors(paramRef: JsonObject): readonly FieldError[] {
  const { name = '', selector, parameterNotFoundAction = '' } = paramRef
  const field = 'spec.paramRef'
  const hasSelector = isJsonObject(selector)
  return [
    ...(name === '' && !hasSelector
      ? [requiredValue(field, 'one of name or selector must be specified')]
      : []),
    ...(name !== '' && hasSelector
      ? [forbiddenValue(`${field}.name`, 'name and selector are mutually exclusive')]
      : []),
    ...(parameterNotFoundAction === '' ? [requiredValue(`${field}.parameterNotFoundAction`)] : []),
    ...(hasSelector ? labelSelectorErrors(selector, `${field}.selector`) : []),
  ]
}

function actionErrors(value: JsonValue | undefined): readonly FieldError[] {
  const field = 'spec.validationActions'
  const actions = Array.isArray(value) ? value : []
  if (actions.length === 0) return [requiredValue(field)]
  const unknown = actions.filter(
    (action) => typeof action !== 'string' || !ACTIONS.includes(action),
  )
  const isContradictory = actions.includes('Deny') && actions.includes('Warn')
  return [
    ...unknown.map((action) => unsupportedValue(field, action, ACTIONS)),
    ...(new Set(actions).size < actions.length ? [duplicateValue(field, actions)] : []),
    ...(isContradictory
      ? [invalidValue(field, actions, 'must not contain both Deny and Warn')]
      : []),
  ]
}

/** Policies in CEL. */
export const VALIDATING_ADMISSION_POLICIES: NativeResource = {
  type: VALIDATING_ADMISSION_POLICY_TYPE,
  strategy: {
    validate: (object, _old, { subresource }) => (subresource === '' ? policyErrors(object) : []),
  },
  isConfiguration: true,
}

/** Bindings of policies. */
export const VALIDATING_ADMISSION_POLICY_BINDINGS: NativeResource = {
  type: VALIDATING_ADMISSION_POLICY_BINDING_TYPE,
  strategy: { validate: bindingErrors },
  isConfiguration: true,
}
