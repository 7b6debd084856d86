import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN, textColumn } from '../printer-columns.ts'
import { BINDING_SPEC, POLICY_SPEC, POLICY_STATUS } from './policy-schemas.ts'
import { ADMISSION_DEFINITIONS, ADMISSION_GROUP } from './webhook-schemas.ts'
import { textOf } from '../../../lib/json/json-fields.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

const UNSET = '<unset>'

function memberOf(value: JsonValue | undefined, member: string): JsonValue | undefined {
  return isJsonObject(value) ? value[member] : undefined
}

function countOfValidations({ spec }: ApiObject): number {
  const validations = memberOf(spec, 'validations')
  return Array.isArray(validations) ? validations.length : 0
}

/** The kind of parameters as tables show it. */
export function shownParamKind({ spec }: ApiObject): string {
  const kind = memberOf(spec, 'paramKind')
  return isJsonObject(kind) ? `${textOf(kind['apiVersion'])}/${textOf(kind['kind'])}` : UNSET
}

/** The parameters of a binding as tables show them. */
function shownParamRef({ spec }: ApiObject): string {
  const reference = memberOf(spec, 'paramRef')
  if (!isJsonObject(reference)) return UNSET
  const name = textOf(reference['name'])
  if (name !== '') return `${textOf(reference['namespace']) || '*'}/${name}`
  const { selector } = reference
  return isJsonObject(selector) ? jsonText(selector) : UNSET
}

/** The columns of bindings. */
export const BINDING_COLUMNS = [
  NAME_COLUMN,
  textColumn('PolicyName', '.spec.policyName', 'Name of the policy.'),
  computedColumn('ParamRef', 'Parameters of the policy.', shownParamRef),
  AGE_COLUMN,
]

const SHARED = {
  group: ADMISSION_GROUP,
  definitions: ADMISSION_DEFINITIONS,
  categories: ['api-extensions'],
  namespaced: false,
  hasGeneration: true,
} as const

/** The type of admission policies in CEL. */
export const VALIDATING_ADMISSION_POLICY_TYPE = nativeType({
  ...SHARED,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  description: 'Rules in CEL that reject writes. A binding puts them into effect.',
  properties: { spec: POLICY_SPEC, status: POLICY_STATUS },
  hasStatus: true,
  printerColumns: [
    NAME_COLUMN,
    {
      ...computedColumn('Validations', 'Number of rules.', countOfValidations),
      type: 'integer',
    },
    computedColumn('ParamKind', 'Kind of the parameters.', shownParamKind),
    AGE_COLUMN,
  ],
})

/** The type of bindings of admission policies. */
export const VALIDATING_ADMISSION_POLICY_BINDING_TYPE = nativeType({
  ...SHARED,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  description: 'Puts an admission policy into effect, with parameters and a selection of requests.',
  properties: { spec: BINDING_SPEC },
  printerColumns: BINDING_COLUMNS,
})
