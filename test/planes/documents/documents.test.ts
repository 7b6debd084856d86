import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/lib/json/json.ts'
import { objectOf, objectsOf } from '../../../src/lib/json/json-fields.ts'
import { GNOSTIC_MESSAGES } from '../../../src/planes/openapi/gnostic/gnostic-messages.ts'
import { GNOSTIC_V3_MESSAGES } from '../../../src/planes/openapi/gnostic/gnostic-v3-messages.ts'
import { decodeMessage } from '../../support/decode-message.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

let server: TestServer
let plane: string

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'warn' } })
  const cluster = await server.post('/clusters', { kind: 'Cluster', name: 'one', spec: {} })
  plane = `/clusters/${cluster.body.id}/control-plane`
})
afterAll(() => server[Symbol.asyncDispose]())

function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(server.origin + path, { headers, redirect: 'manual' })
}

async function json(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await get(path, headers)
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()),
  }
}

function names(list: JsonValue | undefined) {
  return objectsOf(list).map(({ name }) => name)
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

test('lists the same resources in every form of discovery', async () => {
  const core = await json(`${plane}/api`, { Accept: AGGREGATED })
  const named = await json(`${plane}/apis`, { Accept: AGGREGATED })
  const items = [...core.body.items, ...named.body.items]
  const { body: groups } = await json(`${plane}/apis`)
  expect(groups.groups.map(({ name }: { name: string }) => name)).toEqual(
    named.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
  )
  for (const { metadata, versions } of items) {
    for (const { version, resources } of versions) {
      const path = metadata.name === undefined ? '/api' : `/apis/${metadata.name}`
      const { body } = await json(`${plane}${path}/${version}`)
      const listed = body.resources.map(({ name }: { name: string }) => name)
      const expected = resources.flatMap(
        (item: { resource: string; subresources?: { subresource: string }[] }) => [
          item.resource,
          ...(item.subresources ?? []).map((nested) => `${item.resource}/${nested.subresource}`),
        ],
      )
      expect(listed, path).toEqual(expected)
    }
  }
})

test('serves every resource that discovery lists, and no other', async () => {
  const { body } = await json(`${plane}/api/v1`)
  for (const { name, verbs } of body.resources) {
    if (!verbs.includes('list')) continue
    expect((await get(`${plane}/api/v1/${name}`)).status, name).toBe(200)
  }
  expect((await get(`${plane}/api/v1/pods`)).status).toBe(404)
  expect((await get(`${plane}/apis/apps/v1`)).status).toBe(404)
  expect((await get(`${plane}/apis/apps`)).status).toBe(404)
})

test('sends aggregated discovery only to clients that accept it, with an entity tag', async () => {
  const both = `${AGGREGATED},application/json`
  const first = await json(`${plane}/apis`, { Accept: both })
  expect(first.headers.get('content-type')).toBe(AGGREGATED)
  const etag = first.headers.get('etag') ?? ''
  const again = await get(`${plane}/apis`, { Accept: both, 'If-None-Match': etag })
  expect(again.status).toBe(304)
  const plain = await json(`${plane}/apis`, { Accept: 'application/json' })
  expect(plain.body.kind).toBe('APIGroupList')
  const beta = AGGREGATED.replace('v=v2', 'v=v2beta1')
  expect((await json(`${plane}/apis`, { Accept: beta })).body.apiVersion).toBe(
    'apidiscovery.k8s.io/v2beta1',
  )
})

/** A part of a document that refers to components with a prefix. */
function withPrefix<Part>(part: Part, prefix: string): Part {
  return JSON.parse(JSON.stringify(part).replaceAll(/#\/components\/\w+\//g, `$&${prefix}`))
}

test('has an index of OpenAPI documents with URLs below the plane', async () => {
  const { body } = await json(`${plane}/openapi/v3`)
  const paths: Record<string, unknown> = {}
  const components: Record<string, Record<string, unknown>> = {}
  for (const [path, { serverRelativeURL }] of Object.entries<{ serverRelativeURL: string }>(
    body.paths,
  )) {
    expect(serverRelativeURL).toMatch(`${plane}/openapi/v3/${path}?hash=`)
    const document = await json(serverRelativeURL)
    expect(document.headers.get('cache-control')).toBe('public, immutable')
    const prefix = `${path.replaceAll('/', '_')}_`
    const { openapi, info } = document.body
    expect({ openapi, info }, path).toMatchObject({
      openapi: '3.0.0',
      info: { title: 'Kubernetes' },
    })
    Object.assign(paths, withPrefix(document.body.paths, prefix))
    for (const [section, parts] of Object.entries<object>(document.body.components)) {
      for (const [name, part] of Object.entries(withPrefix(parts, prefix))) {
        components[section] = { ...components[section], [prefix + name]: part }
      }
    }
  }
  // Each validation compiles the schema of OpenAPI, so the documents are validated together.
  const all = { openapi: '3.0.0', info: { title: 'all', version: '1' }, paths, components }
  await expect(SwaggerParser.validate(JSON.parse(JSON.stringify(all)))).resolves.toBeDefined()
  const stale = await get(`${plane}/openapi/v3/api/v1?hash=x`)
  expect(stale.status).toBe(301)
  expect(stale.headers.get('location')).toBe(body.paths['api/v1'].serverRelativeURL)
})

test('serves OpenAPI v3 as the protobuf that kube-apiserver sends, if a client prefers it', async () => {
  const path = `${plane}/openapi/v3/api/v1`
  const { body } = await json(path)
  const type = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'
  for (const accept of [type, type.replace('v3.', 'v3@'), `${type}, application/json;q=0.5`]) {
    const response = await get(path, { Accept: accept })
    expect(response.headers.get('content-type')).toBe(type)
    const bytes = Buffer.from(await response.arrayBuffer())
    const decoded = decodeMessage(GNOSTIC_V3_MESSAGES, 'Document', bytes)
    const { schemas } = objectOf(decoded['components'])
    expect(names(objectOf(schemas)['additionalProperties'])).toEqual(
      Object.keys(body.components.schemas),
    )
    expect(names(objectOf(decoded['paths'])['path'])).toEqual(Object.keys(body.paths))
  }
  for (const accept of ['*/*', `application/json, ${type}`]) {
    const response = await get(path, { Accept: accept })
    expect(response.headers.get('content-type')).toContain('application/json')
  }
})

test('serves OpenAPI v2 as JSON and as the protobuf that older clients request', async () => {
  const { body } = await json(`${plane}/openapi/v2`)
  await expect(SwaggerParser.validate(structuredClone(body))).resolves.toBeDefined()
  for (const separator of ['@', '.']) {
    const accept = `application/com.github.proto-openapi.spec.v2${separator}v1.0+protobuf`
    const response = await get(`${plane}/openapi/v2`, { Accept: accept })
    const bytes = Buffer.from(await response.arrayBuffer())
    const decoded = decodeMessage(GNOSTIC_MESSAGES, 'Document', bytes)
    expect(names(objectOf(decoded['definitions'])['additionalProperties'])).toEqual(
      Object.keys(body.definitions),
    )
    expect(names(objectOf(decoded['paths'])['path'])).toEqual(Object.keys(body.paths))
  }
})

test('lists its paths and names the Kubernetes release whose behaviour it has', async () => {
  const { body } = await json(`${plane}/`)
  expect(body.paths).toEqual(expect.arrayContaining(['/api/v1', '/openapi/v3', '/version']))
  expect((await json('/version')).body).toMatchObject({
    major: '1',
    minor: '35',
    gitVersion: 'v1.35.0+flotilla',
  })
})

test('shows an event in both groups', async () => {
  const event = {
    metadata: { name: 'a.1' },
    involvedObject: { kind: 'ConfigMap', name: 'a', namespace: 'default' },
    message: 'Created',
    reason: 'Created',
    type: 'Normal',
    eventTime: null,
  }
  const created = await fetch(`${server.origin}/api/v1/namespaces/default/events`, {
    method: 'POST',
    body: JSON.stringify(event),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(created.status).toBe(201)
  const list = '/apis/events.k8s.io/v1/namespaces/default/events'
  const { body } = await json(`${list}?fieldSelector=regarding.name%3Da`)
  expect(body.items).toMatchObject([{ note: 'Created', regarding: { name: 'a' } }])
  const other = await json(`${list}?fieldSelector=regarding.name%3Db`)
  expect(other.body.items).toEqual([])
})
