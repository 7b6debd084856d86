import type { ApiObject } from '../../model/api-object.ts'
import type { Schema } from '../../model/schema.ts'
import { objectOf, objectsOf } from '../../../lib/json/json-fields.ts'
import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN } from '../printer-columns.ts'
import { atomicList, definition, keyedList, text } from '../schemas/field-schemas.ts'
import { matchResources, paramKind, paramRef, variable } from './policy-schemas.ts'
import { BINDING_COLUMNS, shownParamKind } from './policy-types.ts'
import { ADMISSION_GROUP, FAILURE_POLICY, MATCH_CONDITIONS } from './webhook-schemas.ts'

const DEFINITIONS = 'io.k8s.api.admissionregistration.v1beta1'

function expressionOf(kind: string, description: string): Schema {
  return definition(`${DEFINITIONS}.${kind}`, {
    description,
    properties: { expression: text(description) },
  })
}

const MUTATION = definition(`${DEFINITIONS}.Mutation`, {
  description: 'A change of the object.',
  properties: {
    applyConfiguration: expressionOf(
      'ApplyConfiguration',
      'CEL expression whose result, an Object, is merged into the object.',
    ),
    jsonPatch: expressionOf(
      'JSONPatch',
      'CEL expression whose result is a list of JSONPatch operations.',
    ),
    patchType: text('ApplyConfiguration or JSONPatch.'),
  },
  required: ['patchType'],
})

const POLICY_SPEC = definition(`${DEFINITIONS}.MutatingAdmissionPolicySpec`, {
  description: 'The changes of a policy.',
  properties: {
    failurePolicy: FAILURE_POLICY,
    matchConditions: MATCH_CONDITIONS,
    matchConstraints: matchResources(DEFINITIONS),
    mutations: atomicList(MUTATION, 'Changes of every selected object, in order.'),
    paramKind: paramKind(DEFINITIONS),
    reinvocationPolicy: text('Never or IfNeeded: whether later changes run the policy again.'),
    variables: keyedList(variable(DEFINITIONS), ['name'], 'Named expressions.'),
  },
})

const BINDING_SPEC = definition(`${DEFINITIONS}.MutatingAdmissionPolicyBindingSpec`, {
  description: 'The requests to which a policy applies, and its parameters.',
  properties: {
    matchResources: matchResources(DEFINITIONS),
    paramRef: paramRef(DEFINITIONS),
    policyName: text('Name of the policy.'),
  },
})

const SHARED = {
  group: ADMISSION_GROUP,
  version: 'v1beta1',
  definitions: DEFINITIONS,
  categories: ['api-extensions'],
  namespaced: false,
  hasGeneration: true,
} as const

function countOfMutations({ spec }: ApiObject): number {
  return objectsOf(objectOf(spec)['mutations']).length
}

/** The type of policies in CEL that change objects. */
export const MUTATING_ADMISSION_POLICY_TYPE = nativeType({
  ...SHARED,
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  description: 'Changes in CEL of objects that are written. A binding puts them into effect.',
  properties: { spec: POLICY_SPEC },
  printerColumns: [
    NAME_COLUMN,
    { ...computedColumn('Mutations', 'Number of changes.', countOfMutations), type: 'integer' },
    computedColumn('ParamKind', 'Kind of the parameters.', shownParamKind),
    AGE_COLUMN,
  ],
})

/** The type of bindings of mutating policies. */
export const MUTATING_ADMISSION_POLICY_BINDING_TYPE = nativeType({
  ...SHARED,
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  description: 'Puts a mutating policy into effect, with parameters and a selection of requests.',
  properties: { spec: BINDING_SPEC },
  printerColumns: BINDING_COLUMNS,
})
