import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { invalid } from '../../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import type { Desired } from '../../operations/patch-resource.ts'
import { ref } from '../openapi/kind-schemas.ts'
import { describeViolations, type SchemaError } from './describe-violation.ts'

/** What a patch changes, in the form of the wire. */
interface DesiredMembers extends Partial<Omit<Desired, 'refs'>> {
  readonly references?: JsonObject
}

/** Fills in what the schemas say by default; throws VAL-000 with every violation. */
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
  const references = referencesOfCreate(components, kind)
  const schema = {
    components,
    type: 'object',
    properties: {
      spec: ref(`${kind}Spec`),
      labels: ref('Labels'),
      annotations: ref('Annotations'),
      ...(references !== undefined && { references }),
    },
  }
  const validate = ajv.compile<DesiredMembers>(schema)
  const bodySchema = { ...schema, required: ['spec'] }
  return (members) => {
    if (validate(members)) return members
    const errors = (validate.errors ?? []).map(schemaErrorOf)
    throw invalid(describeViolations(errors, { document: schema, bodySchema, body: members }))
  }
}

/** The schema of the member that a kind has which declares references. */
function referencesOfCreate(components: JsonValue, kind: string): JsonValue | undefined {
  const path = ['schemas', `${kind}CreateRequest`, 'properties', 'references']
  return path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    components,
  )
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    useDefaults: true,
    validateSchema: false,
    logger: false,
  })
  ajvFormats.default(ajv, { mode: 'full' })
  ajv.removeKeyword('readOnly')
  ajv.addKeyword({
    keyword: 'readOnly',
    validate: (readOnly: boolean) => !readOnly,
    error: { message: 'is read-only' },
  })
  return ajv
}

/** What is read-only cannot be sent, so nobody is asked for it. */
function withoutRequiredReadOnly(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutRequiredReadOnly)
  if (!isJsonObject(schema)) return schema
  const { required, properties } = schema
  const members = Object.entries(schema).map(([key, value]): [string, JsonValue] => [
    key,
    withoutRequiredReadOnly(value),
  ])
  const writable = Array.isArray(required) && {
    required: required.filter((name: JsonValue) => !isReadOnly(properties, name)),
  }
  return { ...Object.fromEntries(members), ...writable }
}

function isReadOnly(properties: JsonValue | undefined, name: JsonValue): boolean {
  if (!isJsonObject(properties) || typeof name !== 'string') return false
  const schema = properties[name]
  return isJsonObject(schema) && schema['readOnly'] === true
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
