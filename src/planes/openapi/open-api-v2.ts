import type { JsonObject } from '../../lib/json/json.ts'
import type { DocumentContent } from './group-version-content.ts'
import type { Operation } from './operations/operation.ts'
import {
  type ParameterForm,
  parameterOf,
  renderOwnParameter,
  sharedParameters,
} from './operations/parameters.ts'
import { renderPath } from './operations/render-path.ts'
import { referenceTo } from './schemas/render-schema.ts'
import { SECURITY_SCHEME_NAME, securityScheme } from './security-scheme.ts'

const FORM: ParameterForm = {
  root: '#/parameters',
  typed: (type) => ({ type, uniqueItems: true }),
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
    ...queryParameters.map((name) => parameterOf(name, FORM)),
    ...ownParameters.map((own) => renderOwnParameter(own, FORM)),
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

/** Paths and definitions of an OpenAPI 2.0 document. */
export interface OpenApiV2Content {
  readonly paths: JsonObject
  readonly definitions: JsonObject
}

/** Renders a part of an OpenAPI 2.0 document. */
export function openApiV2Content({ paths, definitions }: DocumentContent): OpenApiV2Content {
  return {
    paths: Object.fromEntries(
      paths.map(([path, operations]) => [path, renderPath(operations, renderOperation, FORM)]),
    ),
    definitions: Object.fromEntries(definitions),
  }
}

/** The members of an OpenAPI 2.0 document other than paths and definitions. */
export function openApiV2Frame(): JsonObject {
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    parameters: sharedParameters(FORM),
    securityDefinitions: securityScheme(),
    security: [{ [SECURITY_SCHEME_NAME]: [] }],
  }
}
