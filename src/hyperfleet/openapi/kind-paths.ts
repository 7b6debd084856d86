import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import {
  idParameter,
  type KindRoute,
  nameParameter,
  type SubresourceRoute,
} from '../../store/registry/kind-routes.ts'
import { MAX_TREES } from '../../store/operations/bulk/create-many.ts'
import type { Verb } from '../../store/registry/verb.ts'
import { DISCARD_REASONS } from '../statuses/validation/validate-report.ts'
import type { Profile } from '../statuses/validation/validation-input.ts'
import type { PatchType } from '../../http/patching/patch-types.ts'
import { listParametersOf } from './list-parameters.ts'
import { ref } from '../wire/schema-reference.ts'

/** A reference to a parameter of the document. */
export const parameter = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` })
/** The response to any failed request. */
export const PROBLEM: JsonObject = { $ref: '#/components/responses/ProblemResponse' }

/** The OpenAPI operation of a route. */
export function operationOf(route: KindRoute): JsonObject {
  if (route.verb === 'subresource') return subresourceOperation(route)
  return describedOperation(route.verb, route, pathParameters(route))
}

function subresourceOperation(route: SubresourceRoute): JsonObject {
  const { operation } = route.subresource
  const { parameters, responses } = operation
  return {
    ...operation,
    operationId: operation.operationId + (route.parent ? `Of${route.parent.kind}` : ''),
    tags: [route.kind.kind],
    parameters: [...pathParameters(route), ...(Array.isArray(parameters) ? parameters : [])],
    responses: { ...(isJsonObject(responses) && responses), default: PROBLEM },
  }
}

/** The subject of an operation: a kind, or resources of any kind. */
export interface Subject {
  readonly kind: Pick<RegisteredKind, 'kind' | 'singular' | 'plural' | 'references' | 'verbs'>
  readonly parent: Pick<RegisteredKind, 'kind' | 'singular'> | null
}

/** The operation of a verb on a subject. */
export function describedOperation(
  verb: Verb,
  subject: Subject,
  inPath: readonly JsonObject[],
): JsonObject {
  const { summary, operationId, parameters, body, responses } = DESCRIBE[verb](subject)
  return {
    operationId: operationId + (subject.parent ? `Of${subject.parent.kind}` : ''),
    summary,
    tags: [subject.kind.kind],
    parameters: [...inPath, ...parameters],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...responses, default: PROBLEM },
  }
}

interface Description {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly JsonObject[]
  /** The schema of a JSON body, schemas by content type, or null without a body. */
  readonly body: string | Readonly<Record<string, string>> | null
  readonly responses: JsonObject
}

/** The parameters of operations that change one resource. */
const CHANGING = ['ifMatch', 'dryRun'].map(parameter)

/** The header of every response to a write. */
export const WRITE_TOKEN: JsonObject = {
  'X-Write-Token': { $ref: '#/components/headers/WriteToken' },
}

/** The header of every response that contains one resource. */
export const ETAG: JsonObject = { ETag: { $ref: '#/components/headers/ETag' } }

/** The response if `If-None-Match` names the current version. */
export const NOT_MODIFIED: JsonObject = {
  description: "The caller's copy is current, so the response has no body.",
  headers: ETAG,
}

/** Why a report was not stored. */
export const DISCARDED_HEADER = 'X-HyperFleet-Discarded'

/** The header that contains the result of an upsert. */
export const UPSERT_HEADER = 'X-HyperFleet-Upsert'

/** The headers of a response to a write that contains one resource. */
const WRITTEN: JsonObject = { ...ETAG, ...WRITE_TOKEN }

/** The header of responses to requests with a body. */
const WARNING: JsonObject = { Warning: { $ref: '#/components/headers/Warning' } }

const UPSERTED: JsonObject = {
  ...WRITTEN,
  ...WARNING,
  [UPSERT_HEADER]: {
    description:
      'Whether the request created the resource, replaced its state, or changed nothing.',
    schema: { type: 'string', enum: ['created', 'replaced', 'unchanged'] },
  },
}

const DESCRIBE: Record<Verb, (subject: Subject) => Description> = {
  list: ({ kind }) => ({
    operationId: `list${capitalized(kind.plural)}`,
    summary: `List ${kind.plural} with filters and pages`,
    parameters: listParametersOf('kind', [kind]),
    body: null,
    responses: listResponses(`${kind.kind}List`),
  }),
  create: ({ kind }) => ({
    operationId: `create${kind.kind}`,
    summary: `Create a ${kind.singular}`,
    parameters: [parameter('idempotencyKey'), parameter('dryRun')],
    body: `${kind.kind}CreateRequest`,
    responses: {
      201: response(`The created ${kind.singular}.`, kind.kind, { ...WRITTEN, ...WARNING }),
    },
  }),
  'create-many': ({ kind, parent }) => ({
    operationId: `create${kind.kind}Bulk`,
    summary: `Create up to ${MAX_TREES} ${kind.plural}${parent ? ` in a ${parent.singular}` : ''}`,
    parameters: [parameter('idempotencyKey'), parameter('dryRun')],
    body: `${kind.kind}BulkRequest`,
    responses: {
      200: response('The result of each item.', `${kind.kind}BulkResult`, {
        ...WRITE_TOKEN,
        ...WARNING,
      }),
    },
  }),
  get: ({ kind }) => ({
    operationId: `get${kind.kind}`,
    summary: `Get a ${kind.singular}`,
    parameters: [parameter('ifNoneMatch'), parameter('unusedSearch')],
    body: null,
    responses: {
      200: response(`The ${kind.singular}.`, kind.kind, ETAG),
      304: NOT_MODIFIED,
    },
  }),
  'get-by-name': ({ kind, parent }) => ({
    operationId: `get${kind.kind}ByName`,
    summary: `Get a ${kind.singular} by name${parent ? ` from its ${parent.singular}` : ''}, unless it is being deleted`,
    parameters: [parameter('ifNoneMatch')],
    body: null,
    responses: {
      200: response(`The ${kind.singular}.`, kind.kind, {
        ...ETAG,
        'Content-Location': { $ref: '#/components/headers/ContentLocation' },
      }),
      304: NOT_MODIFIED,
    },
  }),
  upsert: ({ kind, parent }) => ({
    operationId: `upsert${kind.kind}`,
    summary: `Create a ${kind.singular}, or replace the one with this name${parent ? ` in its ${parent.singular}` : ''}`,
    parameters: ['ifMatch', 'ifNoneMatchOfUpsert', 'dryRun'].map(parameter),
    body: `${kind.kind}UpsertRequest`,
    responses: {
      200: response(`The ${kind.singular} that had this name.`, kind.kind, {
        ...UPSERTED,
        'Content-Location': { $ref: '#/components/headers/ContentLocation' },
      }),
      201: response(`The created ${kind.singular}.`, kind.kind, UPSERTED),
    },
  }),
  patch: ({ kind }) => ({
    operationId: `patch${kind.kind}`,
    summary: `Change the spec, labels or annotations of a ${kind.singular}`,
    parameters: CHANGING,
    body: patchBody(kind),
    responses: {
      200: response(`The changed ${kind.singular}.`, kind.kind, { ...WRITTEN, ...WARNING }),
    },
  }),
  delete: ({ kind }) => ({
    operationId: `delete${kind.kind}`,
    summary: `Delete a ${kind.singular} and its descendants, each after its adapters have finalized it`,
    parameters: CHANGING,
    body: null,
    responses: {
      202: response(`The ${kind.singular}, marked as being deleted.`, kind.kind, WRITTEN),
    },
  }),
  'force-delete': ({ kind }) => ({
    operationId: `forceDelete${kind.kind}`,
    summary: `Finish the deletion of a ${kind.singular} without waiting for its adapters`,
    parameters: CHANGING,
    body: 'ForceDeleteRequest',
    responses: { 204: { description: `The ${kind.singular} is removed.`, headers: WRITE_TOKEN } },
  }),
  'list-statuses': ({ kind }) => ({
    operationId: `list${kind.kind}Statuses`,
    summary: `List the adapters' reports on a ${kind.singular}`,
    parameters: listParametersOf('statuses', []),
    body: null,
    responses: listResponses('AdapterStatusList'),
  }),
  'report-status': ({ kind }) => ({
    ...describeReport('lenient'),
    operationId: `report${kind.kind}Status`,
    summary: `Report an adapter's observations of a ${kind.singular}`,
  }),
  'put-status': ({ kind }) => ({
    ...describeReport('strict'),
    operationId: `put${kind.kind}Status`,
    summary: `Report an adapter's observations of a ${kind.singular}, with the strict rules of newer adapters`,
  }),
  'list-changes': ({ kind }) => ({
    operationId: `list${kind.kind}Changes`,
    summary: `List the last changes of a ${kind.singular} and of the reports on it`,
    parameters: [parameter('changeLimit'), parameter('changesBefore')],
    body: null,
    responses: {
      200: response('Changes, newest first.', 'ChangeList'),
      410: PROBLEM,
    },
  }),
  'list-history': ({ kind }) => ({
    operationId: `list${kind.kind}History`,
    summary: `List what happened to a ${kind.singular}, with the values before and after`,
    parameters: [parameter('historyLimit'), parameter('historyBefore')],
    body: null,
    responses: { 200: response('Entries, newest first.', 'HistoryList') },
  }),
}

function describeReport(profile: Profile): Pick<Description, 'parameters' | 'body' | 'responses'> {
  return {
    parameters: ['leaseToken', 'leaseAgain', 'dryRun'].map(parameter),
    body: 'AdapterStatusCreateRequest',
    responses: {
      201: response('The stored report.', 'AdapterStatus', { ...WRITE_TOKEN, ...WARNING }),
      204: {
        description: 'The report was discarded and nothing was written.',
        headers: {
          ...WRITE_TOKEN,
          ...WARNING,
          [DISCARDED_HEADER]: {
            description: 'Why the report was discarded.',
            schema: { type: 'string', enum: [...DISCARD_REASONS[profile]] },
          },
        },
      },
    },
  }
}

function patchBody({ kind, references }: Subject['kind']): Record<PatchType, string> {
  return {
    'application/json': `${kind}PatchRequest`,
    'application/merge-patch+json':
      references.length > 0 ? 'ReferringMergePatchRequest' : 'MergePatchRequest',
    'application/json-patch+json': 'JsonPatchRequest',
  }
}

function contentOf(body: NonNullable<Description['body']>): JsonObject {
  const schemas = typeof body === 'string' ? { 'application/json': body } : body
  const content = Object.entries(schemas).map(([type, name]) => [type, { schema: ref(name) }])
  return Object.fromEntries(content)
}

/** A response with a body of this schema. */
export function response(
  description: string,
  schema: string,
  headers: JsonObject = {},
): JsonObject {
  return {
    description,
    headers: { 'X-Request-ID': { $ref: '#/components/headers/RequestId' }, ...headers },
    content: { 'application/json': { schema: ref(schema) } },
  }
}

/** The responses of a list and of a watch. */
export function listResponses(schema: string): JsonObject {
  const page = response(
    'One page; with `watch=true`, events until the client disconnects.',
    schema,
    {
      'X-Resource-Version': { $ref: '#/components/headers/ListResourceVersion' },
    },
  )
  return {
    200: {
      ...page,
      content: {
        'application/json': { schema: ref(schema) },
        'application/x-ndjson': { schema: ref('WatchEvent') },
        'text/event-stream': { schema: ref('WatchEvent') },
      },
    },
    410: PROBLEM,
  }
}

function pathParameters({ kind, parent, template }: KindRoute): JsonObject[] {
  const kinds = parent ? [parent, kind] : [kind]
  return kinds
    .flatMap((resource) => [idParameter(resource), nameParameter(resource)])
    .filter((name) => template.includes(`{${name}}`))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
