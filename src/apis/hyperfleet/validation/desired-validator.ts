import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { invalid } from '../../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { Desired } from '../../../core/model/resource-fields.ts'
import { must } from '../../../lib/assert.ts'
import { createAjv, withoutRequiredReadOnly } from '../../../http/validation/create-ajv.ts'
import {
  describeViolations,
  type SchemaError,
} from '../../../http/validation/describe-violation.ts'

/** What a patch changes, in the form of the wire. */
interface DesiredMembers extends Partial<Omit<Desired, 'refs'>> {
  readonly references?: JsonObject
}

/** Fills in what the schemas say by default; throws `invalid` with every violation. */
export type DesiredValidator = (members: JsonObject) => DesiredMembers

/**
 * Makes the validators of what patches leave, by kind. They judge as the validator of requests
 * does, which sees only what is sent: the same options, formats and words.
 */
export function createDesiredValidators(
  document: JsonObject,
  kinds: readonly string[],
): ReadonlyMap<string, DesiredValidator> {
  const ajv = createAjv()
  const components = withoutRequiredReadOnly(document['components'] ?? {})
  return new Map(kinds.map((kind) => [kind, createValidator(ajv, components, kind)]))
}

function createValidator(ajv: Ajv2020, components: JsonValue, kind: string): DesiredValidator {
  const schema = { components, type: 'object', properties: propertiesOfPatch(components, kind) }
  const validate = ajv.compile<DesiredMembers>(schema)
  const bodySchema = { ...schema, required: ['spec'] }
  return (members) => {
    if (validate(members)) return members
    const errors = (validate.errors ?? []).map(schemaErrorOf)
    throw invalid(describeViolations(errors, { document: schema, bodySchema, body: members }))
  }
}

/** The schemas of the fields that a patch of this kind can change. */
function propertiesOfPatch(components: JsonValue, kind: string): JsonValue {
  const path = ['schemas', `${kind}PatchRequest`, 'properties']
  const properties = path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    components,
  )
  return must(properties, `properties of ${kind}PatchRequest`)
}

function schemaErrorOf({ instancePath, keyword, params, message = '' }: ErrorObject): SchemaError {
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params
  const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
  // Not escaped, for so the validator of requests has it.
  const member = typeof name === 'string' ? `/${name}` : ''
  return {
    path: `/body${instancePath}${member}`,
    message: Array.isArray(allowedValues) ? `${message}: ${allowedValues.join(', ')}` : message,
    errorCode: keyword,
  }
}
