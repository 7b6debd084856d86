import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { objectOf, objectsOf } from '../../../lib/json/json-fields.ts'
import { encodeMessage } from './encode-message.ts'
import { METHODS } from './gnostic-document.ts'
import { GNOSTIC_V3_MESSAGES } from './gnostic-v3-messages.ts'
import { gnosticV3Schema } from './gnostic-v3-schema.ts'
import { named, vendorExtensions } from './named-values.ts'

/** Encodes a document of OpenAPI 3.0. */
export function encodeDocumentV3(document: JsonObject): Buffer {
  const { openapi, info, paths, components, security } = document
  const { schemas, parameters, securitySchemes } = objectOf(components)
  const encoded = encodeMessage(GNOSTIC_V3_MESSAGES, 'Document', {
    openapi,
    info,
    paths: { path: named(objectOf(paths), pathItem) },
    components: {
      schemas: { additionalProperties: named(objectOf(schemas), gnosticV3Schema) },
      parameters: { additionalProperties: named(objectOf(parameters), parameter) },
      securitySchemes: {
        additionalProperties: named(objectOf(securitySchemes), (securityScheme) => ({
          securityScheme,
        })),
      },
    },
    security: objectsOf(security).map((requirement) => ({
      additionalProperties: named(requirement, (value) => ({ value })),
    })),
  })
  return Buffer.from(encoded)
}

function pathItem(value: JsonValue): object {
  const item = objectOf(value)
  const operations = METHODS.flatMap((method) => {
    const content = item[method]
    return isJsonObject(content) ? [[method, operation(content)] as const] : []
  })
  return {
    ...Object.fromEntries(operations),
    parameters: objectsOf(item['parameters']).map(parameter),
  }
}

function operation(content: JsonObject): object {
  const { tags, description, operationId, parameters, requestBody, responses } = content
  return {
    tags,
    description,
    operationId,
    parameters: objectsOf(parameters).map(parameter),
    ...(isJsonObject(requestBody) && {
      requestBody: { requestBody: withMediaTypes(requestBody) },
    }),
    responses: {
      responseOrReference: named(objectOf(responses), (response) => ({
        response: withMediaTypes(objectOf(response)),
      })),
    },
    specificationExtension: vendorExtensions(content),
  }
}

function parameter(value: JsonValue): object {
  const { $ref, schema, ...fields } = objectOf(value)
  if ($ref !== undefined) return { reference: { ref: $ref } }
  return { parameter: { ...fields, schema: gnosticV3Schema(schema) } }
}

function withMediaTypes({ content, ...fields }: JsonObject): object {
  if (!isJsonObject(content)) return fields
  const mediaType = (type: JsonValue) => ({ schema: gnosticV3Schema(objectOf(type)['schema']) })
  return { ...fields, content: { additionalProperties: named(content, mediaType) } }
}
