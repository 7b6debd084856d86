import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { Operation } from './operations/operation.ts'
import {
  type ParameterForm,
  parameterOf,
  renderOwnParameter,
  sharedParameters,
} from './operations/parameters.ts'
import { renderPath } from './operations/render-path.ts'
import { type GroupVersion, groupVersionContent } from './group-version-content.ts'
import { referenceTo } from './schemas/render-schema.ts'
import { SECURITY_SCHEME_NAME, securityScheme } from './security-scheme.ts'

const UNAUTHORIZED = { '401': { description: 'Unauthorized' } }

const FORM: ParameterForm = {
  root: '#/components/parameters',
  typed: (type) => ({ schema: { type, uniqueItems: true } }),
}

function content(types: readonly string[], definition: string): JsonObject {
  const schema = referenceTo(definition, 'v3')
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

function renderOperation(operation: Operation): JsonObject {
  const { tag, description, id, queryParameters, body, consumes, produces } = operation
  const { response, codes, action, kind, ownParameters = [] } = operation
  const parameters = [
    ...queryParameters.map((name) => parameterOf(name, FORM)),
    ...ownParameters.map((own) => renderOwnParameter(own, FORM)),
  ]
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        content: content(consumes, body.definition),
        ...(body.required && { required: true }),
      },
    }),
    responses: {
      ...Object.fromEntries(
        codes.map((code) => [code, { description: 'OK', content: content(produces, response) }]),
      ),
      ...UNAUTHORIZED,
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  }
}

/** The OpenAPI 3.0 document of a group version. */
export function openApiV3(
  types: readonly ResourceType[],
  { group, version }: GroupVersion,
): JsonObject {
  const { paths, definitions } = groupVersionContent(types, { group, version }, 'v3')
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(
      paths.map(([path, operations]) => [path, renderPath(operations, renderOperation, FORM)]),
    ),
    components: {
      schemas: Object.fromEntries(definitions),
      parameters: sharedParameters(FORM),
      securitySchemes: securityScheme(),
    },
    security: [{ [SECURITY_SCHEME_NAME]: [] }],
  }
}
