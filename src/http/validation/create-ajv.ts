import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'

/** An Ajv that judges as the validator of requests does: the same options and formats. */
export function createAjv(): Ajv2020 {
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
export function withoutRequiredReadOnly(schema: JsonValue): JsonValue {
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
