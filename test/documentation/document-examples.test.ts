import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseResourceVersion } from '../../src/store/feed/resource-version.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { schemaCompiler } from '../../src/http/validation/schema-compiler.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestResponse, type TestServer } from '../support/test-server.ts'

const ID = /^2[0-9a-z]{26}$/

let server: TestServer
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
let document: any
let cluster: string

beforeAll(async () => {
  server = await startTestServer()
  document = (await server.get('/openapi/flotilla.json')).body
  const spec = { release: { version: '4.17.0' } }
  cluster = `/clusters/${(await server.post('/clusters', creation('Cluster', { spec }))).body.id}`
})
afterAll(() => server[Symbol.asyncDispose]())

const exampleOf = (schema: string): unknown => document.components.schemas[schema].example

/** Every example in a part of the document, with its schema. */
function examplesIn(
  value: unknown,
  path: string,
): { path: string; schema: object; example: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.entries(value).flatMap(([key, member]) => {
    return key === 'example' ? [] : examplesIn(member, `${path}/${key}`)
  })
  if (!('example' in value)) return own
  const schema = 'schema' in value && typeof value.schema === 'object' ? value.schema : value
  return [{ path, schema: schema ?? {}, example: value.example }, ...own]
}

/** The values of all fields with this name, at any depth. */
function valuesOf(example: unknown, name: string): unknown[] {
  if (typeof example !== 'object' || example === null) return []
  const inside = Object.values(example).flatMap((member) => valuesOf(member, name))
  return name in example ? [Reflect.get(example, name), ...inside] : inside
}

describe('the examples in the document', () => {
  test('satisfy their schemas', () => {
    const examples = examplesIn(document.components, '')
    expect(examples.length).toBeGreaterThan(15)
    // Some examples are responses, which may have read-only fields.
    const compiler = schemaCompiler(withoutReadOnly(document))
    for (const { path, schema, example } of examples) {
      const { example: _example, ...rest } = { example, ...schema }
      const validate = compiler.compile(withoutReadOnly(rest))
      validate(structuredClone(example))
      expect(validate.errors ?? [], path).toEqual([])
    }
  })

  test('contain ids and resource versions in the format of the server', () => {
    const examples = examplesIn(document, '').map(({ example }) => example)
    for (const id of examples.flatMap((example) => valuesOf(example, 'id'))) {
      expect(id).toMatch(ID)
    }
    const versions = examples.flatMap((example) => valuesOf(example, 'resource_version'))
    for (const version of [...versions, exampleOf('ResourceVersion')]) {
      expect(parseResourceVersion(String(version))).not.toBeNull()
    }
  })

  test('of query parameters are valid on every route that has the parameter', async () => {
    const pool = await server.post(`${cluster}/nodepools`, creation('NodePool'))
    const spec = { kind: 'Cluster' }
    const view = await server.post('/views', { kind: 'View', name: 'of-clusters', spec })
    const { paths, components } = document
    let sent = 0
    for (const [template, { get }] of Object.entries<{ get?: { parameters?: object[] } }>(paths)) {
      const path = template
        .replace('/clusters/{cluster_id}', cluster)
        .replace('{nodepool_id}', pool.body.id)
        .replace('{resource_id}', pool.body.id)
        .replace('{view_id}', view.body.id)
        .replace('{view_name}', view.body.name)
      const parameters = (get?.parameters ?? []).map((parameter) => {
        const [, name = ''] = /parameters\/(.+)$/.exec(String(Reflect.get(parameter, '$ref'))) ?? []
        return components.parameters[name] ?? parameter
      })
      for (const { in: place, name, example } of parameters) {
        if (place !== 'query' || example === undefined) continue
        const response = await server.get(`${path}?${name}=${encodeURIComponent(String(example))}`)
        expect(response.status, `${path} ${name}: ${response.text}`).toBe(200)
        sent += 1
      }
    }
    expect(sent).toBeGreaterThan(10)
  })

  test('of request bodies are valid on their routes', async () => {
    const patch = (type: string, schema: string): Promise<TestResponse> =>
      server.request('PATCH', cluster, exampleOf(schema), { 'Content-Type': type })
    expect((await patch('application/json-patch+json', 'JsonPatchRequest')).status).toBe(200)
    expect((await patch('application/merge-patch+json', 'MergePatchRequest')).status).toBe(200)
    const report = exampleOf('AdapterStatusCreateRequest')
    const reported = await server.post(`${cluster}/statuses`, report)
    expect([reported.status, reported.headers.get('warning')]).toEqual([201, null])
    expect((await server.post('/snapshots', exampleOf('SnapshotsRequest'))).status).toBe(200)
    const doomed = `/clusters/${(await server.post('/clusters', creation('Cluster'))).body.id}`
    await server.request('DELETE', doomed)
    const forced = await server.post(`${doomed}/force-delete`, exampleOf('ForceDeleteRequest'))
    expect(forced.status).toBe(204)
  })
})

describe('the document', () => {
  test('lists the media types of a watched snapshot', () => {
    const { content } = document.paths['/clusters/{cluster_id}/snapshot'].get.responses['200']
    expect(Object.keys(content)).toEqual([
      'application/json',
      'application/x-ndjson',
      'text/event-stream',
    ])
  })

  test.each(['/openapi', '/openapi.json', '/openapi.yaml', '/openapi.html'])(
    'documents the 400 of %s for a malformed entity tag',
    async (path) => {
      const response = await server.request('GET', path, undefined, { 'If-None-Match': 'x' })
      expect(response.status).toBe(400)
      expect(document.paths[path].get.responses['400']).toBeDefined()
    },
  )

  test('has patterns for If-Match and Idempotency-Key that agree with the server', () => {
    const { ifMatch, idempotencyKey } = document.components.parameters
    const tags = new RegExp(ifMatch.schema.pattern)
    for (const good of ['*', '"a"', 'W/"a"', '"a,b", W/"c"']) expect(good).toMatch(tags)
    for (const bad of ['', 'a', '"a" b', '*, "a"', '"a', 'w/"a"']) expect(bad).not.toMatch(tags)
    const key = new RegExp(idempotencyKey.schema.pattern)
    expect('a-b_1~!').toMatch(key)
    for (const bad of ['', 'a b', 'é', '\n']) expect(bad).not.toMatch(key)
  })
})

function withoutReadOnly(schema: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'readOnly' ? undefined : value)),
  )
}
