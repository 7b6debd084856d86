import type { JsonObject } from '../../../lib/json.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import { answer, ETAG, LIST_PARAMETERS, listResponses, parameter, PROBLEM } from './kind-paths.ts'
import { listSchema, PARTIAL_SCHEMA, ref } from './kind-schemas.ts'
import { referenceParameters } from './reference-parameters.ts'

/** Where the resources of all kinds are listed and read. */
export const RESOURCES_TEMPLATE = '/resources'
export const RESOURCE_TEMPLATE = '/resources/{resource_id}'

/** The paths of what is the same for all kinds. */
export function resourcePaths(kinds: readonly RegisteredKind[]): JsonObject {
  const list = LIST_PARAMETERS.map((name) => (name === 'orderBy' ? 'resourceOrderBy' : name))
  return {
    [RESOURCES_TEMPLATE]: {
      get: {
        operationId: 'listResources',
        summary: 'List the resources of all kinds, filtered and paged',
        tags: ['Resource'],
        parameters: [...list.map(parameter), ...referenceParameters(kinds)],
        responses: { ...listResponses('ResourceList'), default: PROBLEM },
      },
    },
    [RESOURCE_TEMPLATE]: {
      get: {
        operationId: 'getResource',
        summary: 'Read a resource of any kind',
        tags: ['Resource'],
        parameters: [
          { name: 'resource_id', in: 'path', required: true, schema: { type: 'string' } },
          parameter('ifNoneMatch'),
          parameter('unusedSearch'),
        ],
        responses: {
          200: answer('The resource, as its own path shows it', 'Resource', ETAG),
          304: { description: 'As `If-None-Match` has it', headers: ETAG },
          default: PROBLEM,
        },
      },
    },
  }
}

/** The schemas of what can be of any kind. */
export function resourceSchemas(kinds: readonly RegisteredKind[]): JsonObject {
  return {
    Resource: { anyOf: kinds.map(({ kind }) => ref(kind)) },
    PartialResource: PARTIAL_SCHEMA,
    ResourceList: listSchema('Resource'),
  }
}
