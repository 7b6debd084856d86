import type { JsonObject } from '../../lib/json/json.ts'
import type { DocumentContent } from './group-version-content.ts'
import type { Operation } from './operations/operation.ts'
import {
  parameterOf,
  type PathParameter,
  type QueryParameter,
  renderOwnParameter,
  renderParameter,
  sharedParameters,
} from './operations/parameters.ts'
import { referenceTo } from './schemas/render-schema.ts'
import { SECURITY_SCHEME_NAME, securityScheme } from './security-scheme.ts'

const typed = (type: string): JsonObject => ({ type, uniqueItems: true })

function parameter(name: QueryParameter | PathParameter): JsonObject {
  return renderParameter(name, typed)
}

function bodyParameter({ definition, required }: NonNullable<Operation['body']>): JsonObject {
  const schema = referenceTo(definition, 'v2')
  return { name: 'body', in: 'body', ...(required && { required: true }), schema }
}

function renderOperation(operation: Operation): JsonObject {
  const { tag, description, id, queryParameters, body, consumes, produces } = operation
  const { response, codes, action, kind, ownParameters = [] } = operation
  const schema = referenceTo(response, 'v2')
  const parameters = [
    ...(body ? [bodyParameter(body)] : []),
    ...queryParameters.map((name) => parameterOf(name, '#/parameters', parameter)),
    ...ownParameters.map((own) => renderOwnParameter(own, typed)),
  ]
  return {
    tags: [tag],
    description,
    operationId: id,
    consumes,
    produces,
    ...(parameters.length > 0 && { parameters }),
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: 'OK', schema }])),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  }
}

function renderPath([first, ...others]: readonly [Operation, ...Operation[]]): JsonObject {
  const { pathParameters } = first
  return {
    ...Object.fromEntries(
      [first, ...others].map((operation) => [operation.method, renderOperation(operation)]),
    ),
    ...(pathParameters.length > 0 && {
      parameters: pathParameters.map((name) => parameterOf(name, '#/parameters', parameter)),
    }),
  }
}

/** Paths and definitions of an OpenAPI 2.0 document. */
export interface OpenApiV2Content {
  readonly paths: JsonObject
  readonly definitions: JsonObject
}

/** Renders a part of an OpenAPI 2.0 document. */
export function openApiV2Content({ paths, definitions }: DocumentContent): OpenApiV2Content {
  return {
    paths: Object.fromEntries(paths.map(([path, operations]) => [path, renderPath(operations)])),
    definitions: Object.fromEntries(definitions),
  }
}

/** The members of an OpenAPI 2.0 document other than paths and definitions. */
export function openApiV2Frame(): JsonObject {
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    parameters: sharedParameters(parameter),
    securityDefinitions: securityScheme(),
    security: [{ [SECURITY_SCHEME_NAME]: [] }],
  }
}
