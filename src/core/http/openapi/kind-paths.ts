import type { JsonObject } from '../../../lib/json.ts'
import { idParameter, type KindRoute, type Verb } from '../../registry/kind-routes.ts'
import { ref } from './kind-schemas.ts'

const parameter = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` })
const PROBLEM: JsonObject = { $ref: '#/components/responses/Problem' }

/** The operation that OpenAPI shows for a route. */
export function operationOf(route: KindRoute): JsonObject {
  const { summary, operationId, parameters, body, responses } = DESCRIBE[route.verb](route)
  return {
    operationId: operationId + (route.parent ? `Of${route.parent.kind}` : ''),
    summary,
    tags: [route.kind.kind],
    parameters: [...pathParameters(route), ...parameters.map(parameter)],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: ref(body) } } },
    }),
    responses: { ...responses, default: PROBLEM },
  }
}

interface Description {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly string[]
  readonly body: string | null
  readonly responses: JsonObject
}

const LIST = ['page', 'pageSize', 'orderBy', 'order', 'search', 'fields']

const DESCRIBE: Record<Verb, (route: KindRoute) => Description> = {
  list: ({ kind }) => ({
    operationId: `list${capitalized(kind.plural)}`,
    summary: `List ${kind.plural}, filtered and paged`,
    parameters: LIST,
    body: null,
    responses: { 200: answer('One page', `${kind.kind}List`) },
  }),
  create: ({ kind }) => ({
    operationId: `create${kind.kind}`,
    summary: `Declare a ${kind.singular}`,
    parameters: [],
    body: `${kind.kind}CreateRequest`,
    responses: { 201: answer('Created', kind.kind) },
  }),
  get: ({ kind }) => ({
    operationId: `get${kind.kind}`,
    summary: `Read a ${kind.singular}`,
    parameters: [],
    body: null,
    responses: { 200: answer(`The ${kind.singular}`, kind.kind) },
  }),
  patch: ({ kind }) => ({
    operationId: `patch${kind.kind}`,
    summary: `Replace the spec or the labels of a ${kind.singular}`,
    parameters: [],
    body: `${kind.kind}PatchRequest`,
    responses: { 200: answer(`The ${kind.singular} after the change`, kind.kind) },
  }),
  'list-statuses': ({ kind }) => ({
    operationId: `list${kind.kind}Statuses`,
    summary: `List the adapters' reports on a ${kind.singular}`,
    parameters: LIST.map((name) => (name === 'orderBy' ? 'statusOrderBy' : name)),
    body: null,
    responses: { 200: answer('One page', 'AdapterStatusList') },
  }),
  'report-status': ({ kind }) => ({
    operationId: `report${kind.kind}Status`,
    summary: `Report what an adapter observes of a ${kind.singular}`,
    parameters: [],
    body: 'AdapterStatusCreateRequest',
    responses: {
      201: answer('Stored', 'AdapterStatus'),
      204: {
        description: 'Dropped, nothing written',
        headers: {
          'X-HyperFleet-Discarded': {
            description: 'Why',
            schema: { type: 'string', enum: ['stale-generation', 'unknown-after-report'] },
          },
        },
      },
    },
  }),
}

function answer(description: string, schema: string): JsonObject {
  return {
    description,
    headers: { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } },
    content: { 'application/json': { schema: ref(schema) } },
  }
}

function pathParameters({ kind, parent, template }: KindRoute): JsonObject[] {
  const kinds = parent ? [parent, kind] : [kind]
  return kinds
    .map(idParameter)
    .filter((name) => template.includes(`{${name}}`))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
