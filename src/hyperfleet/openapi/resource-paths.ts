import type { JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { serves, VERB_DECLARATIONS } from '../../store/registry/verb.ts'
import {
  describedOperation,
  ETAG,
  listResponses,
  NOT_MODIFIED,
  parameter,
  PROBLEM,
  response,
  type Subject,
} from './kind-paths.ts'
import { creationExample, listSchema, PARTIAL_SCHEMA } from './kind-schemas.ts'
import { listParametersOf } from './list-parameters.ts'
import { ref } from '../wire/schema-reference.ts'
import { requiresReferences } from '../wire/reference-schemas.ts'

/** The paths that serve resources of all kinds. */
export const RESOURCES_TEMPLATE = '/resources'
export const RESOURCE_TEMPLATE = '/resources/{resource_id}'

/** Those of the operations on an item, besides reading it, that at least one kind serves. */
export function resourceWrites(kinds: readonly RegisteredKind[]): readonly ResourceWrite[] {
  return VERB_DECLARATIONS.filter(({ verb, of }) => {
    return of === 'item' && verb !== 'get' && kinds.some((kind) => serves(kind, verb))
  })
}

type ResourceWrite = (typeof VERB_DECLARATIONS)[number]

const ID: JsonObject = {
  name: 'resource_id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
}

/** The paths that serve resources of all kinds. */
export function resourcePaths(kinds: readonly RegisteredKind[]): JsonObject {
  const references = kinds.flatMap((kind) => kind.references)
  const named = { kind: 'Resource', singular: 'resource', plural: 'resources', references }
  const subject: Subject = { kind: named, parent: null }
  const onItem = resourceWrites(kinds)
  const operations = (suffix: string) =>
    Object.fromEntries(
      onItem
        .filter((write) => write.suffix === suffix)
        .map(({ verb, method }) => [method, describedOperation(verb, subject, [ID])]),
    )
  const below = new Set(onItem.map(({ suffix }) => suffix).filter((suffix) => suffix !== ''))
  return {
    [RESOURCES_TEMPLATE]: {
      get: {
        operationId: 'listResources',
        summary: 'List resources of all kinds with filters and pages',
        tags: ['Resource'],
        parameters: listParametersOf('all-kinds', kinds),
        responses: { ...listResponses('ResourceList'), default: PROBLEM },
      },
      ...(kinds.some((kind) => kind.parent === null && serves(kind, 'create')) && {
        post: {
          ...describedOperation('create', subject, []),
          description:
            '`kind` selects the kind. A kind with a parent must be created at its own path; here the response is 422.',
        },
      }),
    },
    [RESOURCE_TEMPLATE]: {
      get: {
        operationId: 'getResource',
        summary: 'Get a resource of any kind',
        tags: ['Resource'],
        parameters: [ID, parameter('ifNoneMatch'), parameter('unusedSearch')],
        responses: {
          200: response('The resource, in the format of its kind.', 'Resource', ETAG),
          304: NOT_MODIFIED,
          default: PROBLEM,
        },
      },
      ...operations(''),
    },
    ...Object.fromEntries(
      [...below].map((suffix) => [RESOURCE_TEMPLATE + suffix, operations(suffix)]),
    ),
  }
}

/** The schemas of requests and responses that may contain any kind. */
export function resourceSchemas(kinds: readonly RegisteredKind[]): JsonObject {
  const created = kinds.filter((kind) => kind.parent === null && serves(kind, 'create'))
  const patched = kinds.filter((kind) => serves(kind, 'patch'))
  return {
    Resource: { anyOf: kinds.map(({ kind }) => ref(kind)) },
    ...(created.length > 0 && { ResourceCreateRequest: createSchema(created) }),
    ...(patched.length > 0 && {
      ResourcePatchRequest: { anyOf: patched.map(({ kind }) => ref(`${kind}PatchRequest`)) },
    }),
    PartialResource: PARTIAL_SCHEMA,
    ResourceList: listSchema('Resource'),
  }
}

function createSchema(roots: readonly RegisteredKind[]): JsonObject {
  const shown = roots.find((kind) => !requiresReferences(kind))
  return {
    anyOf: roots.map(({ kind }) => ref(`${kind}CreateRequest`)),
    // The name differs from the example of the kind's own path, so that a user can send both.
    ...(shown && { example: creationExample(shown, 'example-2') }),
  }
}
