import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { GNOSTIC_DOCUMENT } from './gnostic-codec.ts'
import { gnosticSchema } from './gnostic-schema.ts'
import { named, vendorExtensions } from './named-values.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : []
}

function parameter({ schema, ...parameterFields }: JsonObject): object {
  if (parameterFields['in'] === 'body')
    return { bodyParameter: { ...parameterFields, schema: gnosticSchema(objectOf(schema)) } }
  return {
    nonBodyParameter:
      parameterFields['in'] === 'path'
        ? { pathParameterSubSchema: parameterFields }
        : { queryParameterSubSchema: parameterFields },
  }
}

function parametersItem(item: JsonObject): object {
  const { $ref } = item
  return $ref === undefined ? { parameter: parameter(item) } : { jsonReference: { ref: $ref } }
}

function response({ description, schema }: JsonObject): object {
  return {
    response: {
      description,
      ...(isJsonObject(schema) && { schema: { schema: gnosticSchema(schema) } }),
    },
  }
}

function operation(content: JsonObject): object {
  const { tags, description, operationId, produces, consumes, parameters, responses } = content
  return {
    tags,
    description,
    operationId,
    produces,
    consumes,
    parameters: objectsOf(parameters).map(parametersItem),
    responses: { responseCode: named(objectOf(responses), (item) => response(objectOf(item))) },
    vendorExtension: vendorExtensions(content),
  }
}

function pathItem(item: JsonObject): object {
  const operations = METHODS.flatMap((method) => {
    const content = item[method]
    return isJsonObject(content) ? [[method, operation(content)] as const] : []
  })
  return {
    ...Object.fromEntries(operations),
    parameters: objectsOf(item['parameters']).map(parametersItem),
  }
}

/** An OpenAPI 2.0 document as the protobuf message that kubectl requests. */
export function encodeGnostic(document: JsonObject): Uint8Array {
  const { swagger, info, paths, definitions, parameters, security, securityDefinitions } = document
  const message = {
    swagger,
    info,
    paths: { path: named(objectOf(paths), (item) => pathItem(objectOf(item))) },
    definitions: {
      additionalProperties: named(objectOf(definitions), (item) => gnosticSchema(objectOf(item))),
    },
    parameters: {
      additionalProperties: named(objectOf(parameters), (item) => parameter(objectOf(item))),
    },
    security: objectsOf(security).map((requirement) => ({
      additionalProperties: named(requirement, (value) => ({ value })),
    })),
    securityDefinitions: {
      additionalProperties: named(objectOf(securityDefinitions), (apiKeySecurity) => ({
        apiKeySecurity,
      })),
    },
  }
  return GNOSTIC_DOCUMENT.encode(message).finish()
}
