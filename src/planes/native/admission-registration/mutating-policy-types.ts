import type { ApiObject } from '../../model/api-object.ts'
import type { PrinterColumn } from '../../model/resource-type.ts'
import type { Schema } from '../../model/schema.ts'
import { objectOf, objectsOf } from '../../../lib/json/json-fields.ts'
import { type NativeDeclaration, nativeType } from '../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN } from '../printer-columns.ts'
import { atomicList, definition, keyedList, text } from '../schemas/field-schemas.ts'
import { matchResources, paramKind, paramRef, variable } from './policy-schemas.ts'
import { BINDING_COLUMNS, shownParamKind } from './policy-types.ts'
import {
  ADMISSION_DEFINITIONS,
  ADMISSION_GROUP,
  FAILURE_POLICY,
  MATCH_CONDITIONS,
} from './webhook-schemas.ts'

const OLD_DEFINITIONS = 'io.k8s.api.admissionregistration.v1beta1'

function expressionOf(definitions: string, kind: string, description: string): Schema {
  return definition(`${definitions}.${kind}`, {
    description,
    properties: { expression: text(description) },
  })
}

function mutation(definitions: string): Schema {
  return definition(`${definitions}.Mutation`, {
    description: 'A change of the object.',
    properties: {
      applyConfiguration: expressionOf(
        definitions,
        'ApplyConfiguration',
        'CEL expression whose result, an Object, is merged into the object.',
      ),
      jsonPatch: expressionOf(
        definitions,
        'JSONPatch',
        'CEL expression whose result is a list of JSONPatch operations.',
      ),
      patchType: text('ApplyConfiguration or JSONPatch.'),
    },
    required: ['patchType'],
  })
}

function policySpec(definitions: string): Schema {
  return definition(`${definitions}.MutatingAdmissionPolicySpec`, {
    description: 'The changes of a policy.',
    properties: {
      failurePolicy: FAILURE_POLICY,
      matchConditions: MATCH_CONDITIONS,
      matchConstraints: matchResources(definitions),
      mutations: atomicList(mutation(definitions), 'Changes of every selected object, in order.'),
      paramKind: paramKind(definitions),
      reinvocationPolicy: text('Never or IfNeeded: whether later changes run the policy again.'),
      variables: keyedList(variable(definitions), ['name'], 'Named expressions.'),
    },
  })
}

function bindingSpec(definitions: string): Schema {
  return definition(`${definitions}.MutatingAdmissionPolicyBindingSpec`, {
    description: 'The requests to which a policy applies, and its parameters.',
    properties: {
      matchResources: matchResources(definitions),
      paramRef: paramRef(definitions),
      policyName: text('Name of the policy.'),
    },
  })
}

/** The members of both versions of a kind. Kubernetes 1.36 also stores the old one. */
function bothVersions(
  specOf: (definitions: string) => Schema,
  printerColumns: readonly PrinterColumn[],
): Pick<NativeDeclaration, 'definitions' | 'properties' | 'printerColumns' | 'oldVersion'> {
  const shapeOf = (definitions: string) => ({
    definitions,
    properties: { spec: specOf(definitions) },
    printerColumns,
  })
  return {
    ...shapeOf(ADMISSION_DEFINITIONS),
    oldVersion: { ...shapeOf(OLD_DEFINITIONS), version: 'v1beta1', isStored: true },
  }
}

const SHARED = {
  group: ADMISSION_GROUP,
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
  ...bothVersions(policySpec, [
    NAME_COLUMN,
    { ...computedColumn('Mutations', 'Number of changes.', countOfMutations), type: 'integer' },
    computedColumn('ParamKind', 'Kind of the parameters.', shownParamKind),
    AGE_COLUMN,
  ]),
})

/** The type of bindings of mutating policies. */
export const MUTATING_ADMISSION_POLICY_BINDING_TYPE = nativeType({
  ...SHARED,
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  description: 'Puts a mutating policy into effect, with parameters and a selection of requests.',
  ...bothVersions(bindingSpec, BINDING_COLUMNS),
})
