import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifestOf } from './manifest.ts'
import { removalsOf } from './removals.ts'

const text = await readFile(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8')
// oxlint-disable-next-line typescript/no-explicit-any -- the tests change any part of the document
type Document = any

const committed: Document = parse(text)
const published = manifestOf(structuredClone(committed))

/** The breaking changes that a modification of the committed document causes. */
function removalsBy(change: (document: Document) => unknown): readonly string[] {
  const document: Document = structuredClone(committed)
  change(document)
  return removalsOf(published, manifestOf(document))
}

const schemas = (document: Document): Document => document.components.schemas
const operation = (document: Document, path: string, method: string): Document =>
  document.paths[path][method]

/** Removes a parameter of the list of clusters, or replaces it by a changed one. */
function replaceParameter(document: Document, name: string, change?: object): void {
  const list = operation(document, '/clusters', 'get')
  const parameter = document.components.parameters[name]
  list.parameters = list.parameters.filter(
    ({ $ref }: { $ref: string }) => $ref !== `#/components/parameters/${name}`,
  )
  if (change !== undefined) list.parameters.push({ ...parameter, ...change })
}

test('reports nothing for an unchanged document', () => {
  expect(removalsBy(() => null)).toEqual([])
})

describe('the breaking changes of an operation', () => {
  test.each<[string, (document: Document) => unknown, readonly string[]]>([
    [
      'the removal of its path',
      ({ paths }) => delete paths['/clusters'],
      ['GET /clusters is gone', 'POST /clusters is gone'],
    ],
    ['its removal', ({ paths }) => delete paths['/clusters'].post, ['POST /clusters is gone']],
    [
      'a new operation ID',
      (document) => (operation(document, '/clusters', 'get').operationId = 'clusters'),
      ['GET /clusters was the operation listClusters and is clusters now'],
    ],
    [
      'a token requirement',
      (document) => delete operation(document, '/openapi', 'get').security,
      ['GET /openapi needs a token now'],
    ],
    [
      'the removal of a parameter',
      (document) => replaceParameter(document, 'order'),
      ['GET /clusters: parameter query order is gone'],
    ],
    [
      'an optional parameter that becomes required',
      (document) => replaceParameter(document, 'search', { required: true }),
      ['GET /clusters: parameter query search is required now'],
    ],
    [
      'a new required parameter',
      (document) =>
        operation(document, '/clusters', 'get').parameters.push({
          name: 'region',
          in: 'query',
          required: true,
          schema: { type: 'string' },
        }),
      ['GET /clusters: parameter query region is new and required'],
    ],
    [
      'a lower limit of a parameter',
      (document) =>
        replaceParameter(document, 'size', {
          schema: { type: 'integer', minimum: 1, maximum: 100 },
        }),
      ['GET /clusters: parameter query size: maximum is 100 now'],
    ],
    [
      'the removal of a media type of the body',
      (document) =>
        delete operation(document, '/clusters/{cluster_id}', 'patch').requestBody.content[
          'application/json-patch+json'
        ],
      ['PATCH /clusters/{cluster_id}: body as application/json-patch+json is gone'],
    ],
    [
      'a new required body',
      (document) =>
        (operation(document, '/clusters/{cluster_id}', 'delete').requestBody = {
          required: true,
          content: { 'application/json': { schema: {} } },
        }),
      ['DELETE /clusters/{cluster_id}: body is required now'],
    ],
    [
      'another response status',
      (document) => {
        const { responses } = operation(document, '/clusters', 'post')
        responses[200] = responses[201]
        delete responses[201]
      },
      ['POST /clusters: response 201 is gone'],
    ],
    [
      'the removal of a response header',
      (document) => delete operation(document, '/clusters', 'post').responses[201].headers.ETag,
      ['POST /clusters: response 201: header ETag is gone'],
    ],
    [
      'another response schema',
      (document) =>
        (operation(document, '/clusters', 'post').responses[201].content['application/json'] = {
          schema: { $ref: '#/components/schemas/NodePool' },
        }),
      ['POST /clusters: response 201 was a Cluster and is a NodePool'],
    ],
    [
      'the removal of the server',
      (document) => (document.servers = [{ url: '/api/v2' }]),
      ['server /api/hyperfleet/v1 is gone'],
    ],
  ])('include %s', (_title, change, expected) => {
    expect(removalsBy(change).toSorted()).toEqual(expected.toSorted())
  })
})

describe('the breaking changes of a response schema', () => {
  test.each<[string, (schemas: Document) => unknown, readonly string[]]>([
    ['its removal', (all) => delete all.PartialCluster, ['schema PartialCluster is gone']],
    [
      'the removal of a field',
      (all) => delete all.Cluster.properties.href,
      ['Cluster.href is gone'],
    ],
    [
      'a required field that becomes optional',
      (all) => all.Cluster.required.splice(all.Cluster.required.indexOf('href'), 1),
      ['Cluster.href is no longer required'],
    ],
    [
      'another type',
      (all) => (all.Cluster.properties.href.type = 'integer'),
      ['Cluster.href can also be integer'],
    ],
    [
      'null as a value',
      (all) => (all.Cluster.properties.href.type = ['string', 'null']),
      ['Cluster.href can also be null'],
    ],
    [
      'a number instead of an integer',
      (all) => (all.Cluster.properties.generation.type = 'number'),
      ['Cluster.generation can also be number'],
    ],
    [
      'another constant',
      (all) => (all.ClusterList.properties.kind.const = 'Clusters'),
      ['ClusterList.kind: the value "ClusterList" is gone'],
    ],
    [
      'the removal of a value',
      (all) => all.AdapterCondition.properties.status.enum.pop(),
      ['AdapterCondition.status: the value "Unknown" is gone'],
    ],
    [
      'the removal of an enumeration',
      (all) => delete all.AdapterCondition.properties.status.enum,
      ['AdapterCondition.status is no longer one of "True", "False", "Unknown"'],
    ],
    [
      'the removal of a format',
      (all) => delete all.Cluster.properties.created_time.format,
      ['Cluster.created_time: format has changed'],
    ],
    [
      'another schema of a field',
      (all) => (all.Cluster.properties.status = { type: 'object' }),
      ['Cluster.status was a ResourceStatus and is something else'],
    ],
    [
      'another schema of items',
      (all) => (all.ResourceStatus.properties.conditions.items = { type: 'object' }),
      ['ResourceStatus.conditions[] was a ResourceCondition and is something else'],
    ],
    [
      'the removal of an alternative',
      (all) => all.Resource.anyOf.shift(),
      ['Resource can no longer be Cluster'],
    ],
    [
      'a ban of additional fields',
      (all) => (all.PartialCluster.additionalProperties = false),
      ['PartialCluster can no longer have other fields'],
    ],
    [
      'another type of additional fields',
      (all) => (all.Labels.additionalProperties.type = ['string', 'null']),
      ['Labels.* can also be null'],
    ],
  ])('include %s', (_title, change, expected) => {
    expect(removalsBy((document) => change(schemas(document)))).toEqual(expected)
  })
})

describe('the breaking changes of a request schema', () => {
  test.each<[string, (schemas: Document) => unknown, readonly string[]]>([
    [
      'the removal of a field',
      (all) => delete all.ClusterCreateRequest.properties.labels,
      ['ClusterCreateRequest.labels is gone'],
    ],
    [
      'an optional field that becomes required',
      (all) => all.ClusterCreateRequest.required.push('labels'),
      ['ClusterCreateRequest.labels is required now'],
    ],
    [
      'a new required field',
      (all) => {
        all.ForceDeleteRequest.required.push('ticket')
        all.ForceDeleteRequest.properties.ticket = { type: 'string' }
      },
      ['ForceDeleteRequest.ticket is required now'],
    ],
    [
      'the removal of a type',
      (all) => (all.ReportedCondition.properties.reason.type = 'string'),
      ['ReportedCondition.reason can no longer be null'],
    ],
    [
      'the removal of a value',
      (all) => all.ReportedCondition.properties.status.enum.shift(),
      ['ReportedCondition.status: the value "True" is gone'],
    ],
    [
      'a new enumeration',
      (all) => (all.ReportedCondition.properties.type.enum = ['Available']),
      ['ReportedCondition.type must be one of "Available" now'],
    ],
    [
      'a lower maximum length',
      (all) => (all.ClusterCreateRequest.properties.name.maxLength = 40),
      ['ClusterCreateRequest.name: maxLength is 40 now'],
    ],
    [
      'a higher minimum length',
      (all) => (all.AdapterStatusCreateRequest.properties.adapter.minLength = 2),
      ['AdapterStatusCreateRequest.adapter: minLength is 2 now'],
    ],
    [
      'another pattern',
      (all) => (all.ClusterCreateRequest.properties.name.pattern = '^[a-z]+$'),
      ['ClusterCreateRequest.name: pattern has changed'],
    ],
    [
      'another value of any other keyword',
      (all) => all.JsonPatchOperation.allOf.push({ required: ['from'] }),
      ['JsonPatchOperation: allOf has changed'],
    ],
    [
      'a ban of additional fields',
      (all) => (all.ForceDeleteRequest.additionalProperties = false),
      ['ForceDeleteRequest can no longer have other fields'],
    ],
    [
      'a schema for additional fields',
      (all) => (all.ForceDeleteRequest.additionalProperties = { type: 'string' }),
      ['ForceDeleteRequest.* can no longer be array or boolean or null or number or object'],
    ],
    [
      'new alternatives',
      (all) => (all.ForceDeleteRequest.anyOf = [{ required: ['ticket'] }]),
      ['ForceDeleteRequest has alternatives now'],
    ],
  ])('include %s', (_title, change, expected) => {
    expect(removalsBy((document) => change(schemas(document)))).toEqual(expected)
  })
})

describe('the breaking changes do not include', () => {
  test.each<[string, (document: Document) => unknown]>([
    ['a new path', ({ paths }) => (paths['/fleets'] = paths['/clusters'])],
    ['a new operation', ({ paths }) => (paths['/clusters'].put = paths['/clusters'].post)],
    ['a new schema', (document) => (schemas(document).Fleet = { type: 'object' })],
    [
      'a new optional parameter',
      (document) =>
        operation(document, '/clusters', 'get').parameters.push({
          name: 'explain',
          in: 'query',
          schema: { type: 'boolean' },
        }),
    ],
    [
      'a new response, media type and header',
      (document) => {
        const { responses } = operation(document, '/clusters', 'get')
        responses[418] = { description: 'A teapot' }
        responses[200].content['text/csv'] = { schema: { type: 'string' } }
        responses[200].headers['X-Region'] = { schema: { type: 'string' } }
      },
    ],
    [
      'new and newly required response fields',
      (document) => {
        const { Cluster } = schemas(document)
        Cluster.properties.region = { type: 'string' }
        Cluster.required.push('annotations', 'region')
      },
    ],
    [
      'a new optional request field',
      (document) => (schemas(document).ClusterCreateRequest.properties.region = { type: 'string' }),
    ],
    [
      'a new response value of an enumeration',
      (document) => schemas(document).AdapterCondition.properties.status.enum.push('Late'),
    ],
    [
      'a new alternative of a response',
      (document) => schemas(document).Resource.anyOf.push({ $ref: '#/components/schemas/Labels' }),
    ],
    [
      'wider limits of a request',
      (document) => {
        const { name, labels } = schemas(document).ClusterCreateRequest.properties
        name.maxLength = 63
        name.minLength = 1
        delete name.pattern
        labels.description = 'Any labels'
      },
    ],
    [
      'fewer requirements of a request',
      (document) => {
        schemas(document).AdapterStatusCreateRequest.required.pop()
        schemas(document).AdapterStatusCreateRequest.properties.adapter.type = ['string', 'null']
      },
    ],
    [
      'narrower values of a response',
      (document) => (schemas(document).ResourceCondition.properties.reason.enum = ['Ready']),
    ],
    [
      'changed descriptions',
      (document) => {
        schemas(document).Problem.description = 'What went wrong'
        delete schemas(document).Labels.example
      },
    ],
    [
      'a named schema that replaces an equal inline schema',
      (document) => {
        const { properties } = schemas(document).Cluster
        schemas(document).Time = properties.created_time
        properties.created_time = { $ref: '#/components/schemas/Time' }
      },
    ],
  ])('%s', (_title, change) => {
    expect(removalsBy(change)).toEqual([])
  })
})
