import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { encodeMessage } from './encode-message.ts'
import { GNOSTIC_MESSAGES } from './gnostic-messages.ts'
import { gnosticSchema } from './gnostic-schema.ts'
import { named, vendorExtensions } from './named-values.ts'
import { objectOf, objectsOf } from '../../../lib/json/json-fields.ts'

/** The methods of operations. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

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

/** Encodes the members of a document other than paths and definitions. */
export function encodeFrame(frame: JsonObject): Uint8Array {
  const { swagger, info, parameters, security, securityDefinitions } = frame
  return encodeMessage(GNOSTIC_MESSAGES, 'Document', {
    swagger,
    info,
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
  })
}

/** Encodes paths. The concatenation of encoded paths is valid, too. */
export function encodePaths(paths: JsonObject): Uint8Array {
  const path = named(paths, (item) => pathItem(objectOf(item)))
  return encodeMessage(GNOSTIC_MESSAGES, 'Paths', { path })
}

/** Encodes definitions. The concatenation of encoded definitions is valid, too. */
export function encodeDefinitions(definitions: JsonObject): Uint8Array {
  const additionalProperties = named(definitions, (item) => gnosticSchema(objectOf(item)))
  return encodeMessage(GNOSTIC_MESSAGES, 'Definitions', { additionalProperties })
}

/** Joins a frame, encoded paths and encoded definitions to a document. */
export function joinDocument(
  frame: Uint8Array,
  paths: readonly Uint8Array[],
  definitions: readonly Uint8Array[],
): Buffer {
  return Buffer.concat([
    frame,
    ...member(PATHS_NUMBER, paths),
    ...member(DEFINITIONS_NUMBER, definitions),
  ])
}

const PATHS_NUMBER = 8
const DEFINITIONS_NUMBER = 9

function member(number: number, parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const header = new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(length)
  return [header.finish(), ...parts]
}
