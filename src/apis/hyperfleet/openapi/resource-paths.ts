import type { JsonObject } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { Verb } from '../../../core/registry/kind-routes.ts'
import {
  answer,
  describedOperation,
  ETAG,
  LIST_PARAMETERS,
  listResponses,
  parameter,
  PROBLEM,
  type Subject,
} from './kind-paths.ts'
import { creationExample, listSchema, PARTIAL_SCHEMA, ref } from './kind-schemas.ts'
import { referenceParameters } from './reference-parameters.ts'
import { refersAlways } from './reference-schemas.ts'

/** Where the resources of all kinds are listed and read. */
export const RESOURCES_TEMPLATE = '/resources'
export const RESOURCE_TEMPLATE = '/resources/{resource_id}'

/** What can be done to an item beside reading it; the suffix is that of the kind's own path. */
export const RESOURCE_WRITES = [
  { verb: 'patch', method: 'patch', suffix: '' },
  { verb: 'delete', method: 'delete', suffix: '' },
  { verb: 'force-delete', method: 'post', suffix: '/force-delete' },
  { verb: 'list-statuses', method: 'get', suffix: '/statuses' },
  { verb: 'report-status', method: 'post', suffix: '/statuses' },
  { verb: 'put-status', method: 'put', suffix: '/statuses' },
] as const satisfies readonly { verb: Verb; method: string; suffix: string }[]

const ID: JsonObject = {
  name: 'resource_id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
}

/** The paths of what is the same for all kinds. */
export function resourcePaths(kinds: readonly RegisteredKind[]): JsonObject {
  const references = kinds.flatMap((kind) => kind.references)
  const named = { kind: 'Resource', singular: 'resource', plural: 'resources', references }
  const subject: Subject = { kind: named, parent: null }
  const writes = (suffix: string) =>
    Object.fromEntries(
      RESOURCE_WRITES.filter((write) => write.suffix === suffix).map(({ verb, method }) => [
        method,
        describedOperation(verb, subject, [ID]),
      ]),
    )
  const list = LIST_PARAMETERS.map((name) => (name === 'orderBy' ? 'resourceOrderBy' : name))
  return {
    [RESOURCES_TEMPLATE]: {
      get: {
        operationId: 'listResources',
        summary: 'List the resources of all kinds, filtered and paged',
        tags: ['Resource'],
        parameters: [...list.map(parameter), kindParameter(kinds), ...referenceParameters(kinds)],
        responses: { ...listResponses('ResourceList'), default: PROBLEM },
      },
      post: {
        ...describedOperation('create', subject, []),
        description: '`kind` selects the kind. A kind with a parent is created below it: 422.',
      },
    },
    [RESOURCE_TEMPLATE]: {
      get: {
        operationId: 'getResource',
        summary: 'Read a resource of any kind',
        tags: ['Resource'],
        parameters: [ID, parameter('ifNoneMatch'), parameter('unusedSearch')],
        responses: {
          200: answer('The resource, as its own path shows it', 'Resource', ETAG),
          304: { description: 'As `If-None-Match` has it', headers: ETAG },
          default: PROBLEM,
        },
      },
      ...writes(''),
    },
    [`${RESOURCE_TEMPLATE}/force-delete`]: writes('/force-delete'),
    [`${RESOURCE_TEMPLATE}/statuses`]: writes('/statuses'),
  }
}

function kindParameter(kinds: readonly RegisteredKind[]): JsonObject {
  const names = kinds.map(({ kind }) => kind)
  return {
    name: 'kind',
    in: 'query',
    description: 'Only resources of this kind',
    schema: { type: 'string', ...(names.length > 0 && { example: names[0] }) },
  }
}

/** The schemas of what can be of any kind. */
export function resourceSchemas(kinds: readonly RegisteredKind[]): JsonObject {
  return {
    Resource: { anyOf: kinds.map(({ kind }) => ref(kind)) },
    ResourceCreateRequest: createSchema(kinds.filter(({ parent }) => parent === null)),
    ResourcePatchRequest: { anyOf: kinds.map(({ kind }) => ref(`${kind}PatchRequest`)) },
    PartialResource: PARTIAL_SCHEMA,
    ResourceList: listSchema('Resource'),
  }
}

function createSchema(roots: readonly RegisteredKind[]): JsonObject {
  const shown = roots.find((kind) => !refersAlways(kind))
  return {
    anyOf: roots.map(({ kind }) => ref(`${kind}CreateRequest`)),
    // Another name than the example of the kind's own path, so that both can be sent.
    ...(shown && { example: creationExample(shown, 'example-2') }),
  }
}
