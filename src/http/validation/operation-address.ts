import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { valueAt } from '../../lib/json/json-pointer.ts'

/** An operation of the document. */
export interface OperationAddress {
  /** A key of `paths`. */
  readonly template: string
  readonly method: string
}

/** The place of a body's schema in the document. */
export function bodySchemaPath(
  { template, method }: OperationAddress,
  type: string,
): readonly string[] {
  return ['paths', template, method, 'requestBody', 'content', type, 'schema']
}

/** The schema of an operation's body in this content type; null if the operation takes none. */
export function bodySchemaOf(
  document: JsonObject,
  address: OperationAddress,
  type: string,
): JsonObject | null {
  const schema = valueAt(document, bodySchemaPath(address, type))
  return isJsonObject(schema) ? schema : null
}

/** A parameter of the query. */
export interface QueryParameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonValue
}

/** The query parameters of an operation, with references resolved; null for an unknown operation. */
export function queryParametersOf(
  document: JsonObject,
  { template, method }: OperationAddress,
): readonly QueryParameter[] | null {
  const operation = valueAt(document, ['paths', template, method])
  if (!isJsonObject(operation)) return null
  const listed = operation['parameters'] ?? []
  if (!Array.isArray(listed)) return []
  return listed
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter['in'] === 'query')
    .flatMap(({ name, required, schema = true }) => {
      return typeof name === 'string' ? [{ name, required: required === true, schema }] : []
    })
}

function resolved(document: JsonObject, parameter: JsonValue): JsonObject {
  if (!isJsonObject(parameter)) return {}
  const { $ref: reference } = parameter
  if (typeof reference !== 'string') return parameter
  const target = valueAt(document, reference.replace(/^#\//, '').split('/'))
  return isJsonObject(target) ? target : {}
}
