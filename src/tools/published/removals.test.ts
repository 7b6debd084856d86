import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifestOf } from './manifest.ts'
import { removalsOf } from './removals.ts'

const text = await readFile(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8')
const published = manifestOf(parse(text))

// oxlint-disable-next-line typescript/no-explicit-any -- the tests change any part of the document
type Document = any

/** What a client of the committed document loses when the document changes so. */
function lostBy(change: (document: Document) => unknown): readonly string[] {
  const document: Document = parse(text)
  change(document)
  return removalsOf(published, manifestOf(document))
}

const schemas = (document: Document): Document => document.components.schemas
const operation = (document: Document, path: string, method: string): Document =>
  document.paths[path][method]

/** Takes a parameter from the list of clusters, and puts a changed one in its place. */
function replaceParameter(document: Document, name: string, change?: object): void {
  const list = operation(document, '/clusters', 'get')
  const parameter = document.components.parameters[name]
  list.parameters = list.parameters.filter(
    ({ $ref }: { $ref: string }) => $ref !== `#/components/parameters/${name}`,
  )
  if (change !== undefined) list.parameters.push({ ...parameter, ...change })
}

test('the same document loses nothing', () => {
  expect(lostBy(() => null)).toEqual([])
})

describe('an operation', () => {
  test.each<[string, (document: Document) => unknown, readonly string[]]>([
    [
      'that is gone with its path',
      ({ paths }) => delete paths['/clusters'],
      ['GET /clusters is gone', 'POST /clusters is gone'],
    ],
    [
      'that is gone from its path',
      ({ paths }) => delete paths['/clusters'].post,
      ['POST /clusters is gone'],
    ],
    [
      'that has another name',
      (document) => (operation(document, '/clusters', 'get').operationId = 'clusters'),
      ['GET /clusters was the operation listClusters and is clusters'],
    ],
    [
      'that was public',
      (document) => delete operation(document, '/openapi', 'get').security,
      ['GET /openapi needs a token now'],
    ],
    [
      'that lacks a parameter',
      (document) => replaceParameter(document, 'order'),
      ['GET /clusters: parameter query order is gone'],
    ],
    [
      'that requires a parameter which it had',
      (document) => replaceParameter(document, 'search', { required: true }),
      ['GET /clusters: parameter query search is required now'],
    ],
    [
      'that requires a new parameter',
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
      'that takes less in a parameter',
      (document) =>
        replaceParameter(document, 'size', {
          schema: { type: 'integer', minimum: 1, maximum: 100 },
        }),
      ['GET /clusters: parameter query size: maximum is 100 now'],
    ],
    [
      'that lacks a media type of its body',
      (document) =>
        delete operation(document, '/clusters/{cluster_id}', 'patch').requestBody.content[
          'application/json-patch+json'
        ],
      ['PATCH /clusters/{cluster_id}: body as application/json-patch+json is gone'],
    ],
    [
      'that needs a body',
      (document) =>
        (operation(document, '/clusters/{cluster_id}', 'delete').requestBody = {
          required: true,
          content: { 'application/json': { schema: {} } },
        }),
      ['DELETE /clusters/{cluster_id}: body is required now'],
    ],
    [
      'that answers another status',
      (document) => {
        const { responses } = operation(document, '/clusters', 'post')
        responses[200] = responses[201]
        delete responses[201]
      },
      ['POST /clusters: answer 201 is gone'],
    ],
    [
      'that lacks a header',
      (document) => delete operation(document, '/clusters', 'post').responses[201].headers.ETag,
      ['POST /clusters: answer 201: header ETag is gone'],
    ],
    [
      'that answers another schema',
      (document) =>
        (operation(document, '/clusters', 'post').responses[201].content['application/json'] = {
          schema: { $ref: '#/components/schemas/NodePool' },
        }),
      ['POST /clusters: answer 201 was a Cluster and is a NodePool'],
    ],
    [
      'of another server',
      (document) => (document.servers = [{ url: '/api/v2' }]),
      ['server /api/hyperfleet/v1 is gone'],
    ],
  ])('%s is lost', (_title, change, expected) => {
    expect(lostBy(change).toSorted()).toEqual(expected.toSorted())
  })
})

describe('a schema of an answer', () => {
  test.each<[string, (schemas: Document) => unknown, readonly string[]]>([
    ['gone', (all) => delete all.PartialCluster, ['schema PartialCluster is gone']],
    ['without a member', (all) => delete all.Cluster.properties.href, ['Cluster.href is gone']],
    [
      'without the promise of a member',
      (all) => all.Cluster.required.splice(all.Cluster.required.indexOf('href'), 1),
      ['Cluster.href is no longer always there'],
    ],
    [
      'with another type',
      (all) => (all.Cluster.properties.href.type = 'integer'),
      ['Cluster.href can also be integer'],
    ],
    [
      'with null',
      (all) => (all.Cluster.properties.href.type = ['string', 'null']),
      ['Cluster.href can also be null'],
    ],
    [
      'with a wider number',
      (all) => (all.Cluster.properties.generation.type = 'number'),
      ['Cluster.generation can also be number'],
    ],
    [
      'with another constant',
      (all) => (all.ClusterList.properties.kind.const = 'Clusters'),
      ['ClusterList.kind: the value "ClusterList" is gone'],
    ],
    [
      'without a value',
      (all) => all.AdapterCondition.properties.status.enum.pop(),
      ['AdapterCondition.status: the value "Unknown" is gone'],
    ],
    [
      'with any value',
      (all) => delete all.AdapterCondition.properties.status.enum,
      ['AdapterCondition.status is no longer one of "True", "False", "Unknown"'],
    ],
    [
      'without a format',
      (all) => delete all.Cluster.properties.created_time.format,
      ['Cluster.created_time: format has changed'],
    ],
    [
      'with another schema of a member',
      (all) => (all.Cluster.properties.status = { type: 'object' }),
      ['Cluster.status was a ResourceStatus and is something else'],
    ],
    [
      'with other items',
      (all) => (all.ResourceStatus.properties.conditions.items = { type: 'object' }),
      ['ResourceStatus.conditions[] was a ResourceCondition and is something else'],
    ],
    [
      'without an alternative',
      (all) => all.Resource.anyOf.shift(),
      ['Resource can no longer be Cluster'],
    ],
    [
      'closed',
      (all) => (all.PartialCluster.additionalProperties = false),
      ['PartialCluster can no longer have other members'],
    ],
    [
      'with members of another type',
      (all) => (all.Labels.additionalProperties.type = ['string', 'null']),
      ['Labels.* can also be null'],
    ],
  ])('%s is lost', (_title, change, expected) => {
    expect(lostBy((document) => change(schemas(document)))).toEqual(expected)
  })
})

describe('a schema of a request', () => {
  test.each<[string, (schemas: Document) => unknown, readonly string[]]>([
    [
      'without a member',
      (all) => delete all.ClusterCreateRequest.properties.labels,
      ['ClusterCreateRequest.labels is gone'],
    ],
    [
      'that requires a member which it had',
      (all) => all.ClusterCreateRequest.required.push('labels'),
      ['ClusterCreateRequest.labels is required now'],
    ],
    [
      'that requires a new member',
      (all) => {
        all.ForceDeleteRequest.required.push('ticket')
        all.ForceDeleteRequest.properties.ticket = { type: 'string' }
      },
      ['ForceDeleteRequest.ticket is required now'],
    ],
    [
      'that takes a type less',
      (all) => (all.ReportedCondition.properties.reason.type = 'string'),
      ['ReportedCondition.reason can no longer be null'],
    ],
    [
      'that takes a value less',
      (all) => all.ReportedCondition.properties.status.enum.shift(),
      ['ReportedCondition.status: the value "True" is gone'],
    ],
    [
      'that takes some values only',
      (all) => (all.ReportedCondition.properties.type.enum = ['Available']),
      ['ReportedCondition.type must be one of "Available" now'],
    ],
    [
      'that takes shorter texts',
      (all) => (all.ClusterCreateRequest.properties.name.maxLength = 40),
      ['ClusterCreateRequest.name: maxLength is 40 now'],
    ],
    [
      'that takes longer texts only',
      (all) => (all.AdapterStatusCreateRequest.properties.adapter.minLength = 2),
      ['AdapterStatusCreateRequest.adapter: minLength is 2 now'],
    ],
    [
      'with another pattern',
      (all) => (all.ClusterCreateRequest.properties.name.pattern = '^[a-z]+$'),
      ['ClusterCreateRequest.name: pattern has changed'],
    ],
    [
      'with another rule',
      (all) => all.JsonPatchOperation.allOf.push({ required: ['from'] }),
      ['JsonPatchOperation: allOf has changed'],
    ],
    [
      'that is closed',
      (all) => (all.ForceDeleteRequest.additionalProperties = false),
      ['ForceDeleteRequest can no longer have other members'],
    ],
    [
      'that says what other members are',
      (all) => (all.ForceDeleteRequest.additionalProperties = { type: 'string' }),
      ['ForceDeleteRequest.* can no longer be array or boolean or null or number or object'],
    ],
    [
      'with alternatives',
      (all) => (all.ForceDeleteRequest.anyOf = [{ required: ['ticket'] }]),
      ['ForceDeleteRequest has alternatives now'],
    ],
  ])('%s is lost', (_title, change, expected) => {
    expect(lostBy((document) => change(schemas(document)))).toEqual(expected)
  })
})

describe('an addition passes', () => {
  test.each<[string, (document: Document) => unknown]>([
    ['a path', ({ paths }) => (paths['/fleets'] = paths['/clusters'])],
    ['an operation', ({ paths }) => (paths['/clusters'].put = paths['/clusters'].post)],
    ['a schema', (document) => (schemas(document).Fleet = { type: 'object' })],
    [
      'an optional parameter',
      (document) =>
        operation(document, '/clusters', 'get').parameters.push({
          name: 'explain',
          in: 'query',
          schema: { type: 'boolean' },
        }),
    ],
    [
      'an answer, a media type and a header',
      (document) => {
        const { responses } = operation(document, '/clusters', 'get')
        responses[418] = { description: 'A teapot' }
        responses[200].content['text/csv'] = { schema: { type: 'string' } }
        responses[200].headers['X-Region'] = { schema: { type: 'string' } }
      },
    ],
    [
      'a member of an answer, promised or not',
      (document) => {
        const { Cluster } = schemas(document)
        Cluster.properties.region = { type: 'string' }
        Cluster.required.push('annotations', 'region')
      },
    ],
    [
      'an optional member of a request',
      (document) => (schemas(document).ClusterCreateRequest.properties.region = { type: 'string' }),
    ],
    [
      'a value of an enumeration',
      (document) => schemas(document).AdapterCondition.properties.status.enum.push('Late'),
    ],
    [
      'an alternative',
      (document) => schemas(document).Resource.anyOf.push({ $ref: '#/components/schemas/Labels' }),
    ],
    [
      'a request with wider limits',
      (document) => {
        const { name, labels } = schemas(document).ClusterCreateRequest.properties
        name.maxLength = 63
        name.minLength = 1
        delete name.pattern
        labels.description = 'Whatever is useful'
      },
    ],
    [
      'a request with fewer requirements',
      (document) => {
        schemas(document).AdapterStatusCreateRequest.required.pop()
        schemas(document).AdapterStatusCreateRequest.properties.adapter.type = ['string', 'null']
      },
    ],
    [
      'an answer with narrower values',
      (document) => (schemas(document).ResourceCondition.properties.reason.enum = ['Ready']),
    ],
    [
      'other explanations',
      (document) => {
        schemas(document).Problem.description = 'What went wrong'
        delete schemas(document).Labels.example
      },
    ],
    [
      'a name for what stood in its place',
      (document) => {
        const { properties } = schemas(document).Cluster
        schemas(document).Time = properties.created_time
        properties.created_time = { $ref: '#/components/schemas/Time' }
      },
    ],
  ])('%s', (_title, change) => {
    expect(lostBy(change)).toEqual([])
  })
})
