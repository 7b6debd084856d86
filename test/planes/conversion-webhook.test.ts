import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let webhook: http.Server
let calls = 0
let isFailing = false

interface Review {
  readonly request: {
    readonly uid: string
    readonly desiredAPIVersion: string
    readonly objects: readonly { readonly spec: Record<string, unknown> }[]
  }
}

/** `spec.size` of v1 is `spec.count` in v2. */
function respond({ request }: Review): object {
  const { uid, desiredAPIVersion, objects } = request
  const convertedObjects = objects.map(({ spec, ...object }) => {
    const { size, count = size } = spec
    const converted = desiredAPIVersion.endsWith('v2') ? { count } : { size: count }
    return { ...object, apiVersion: desiredAPIVersion, spec: converted }
  })
  const result = isFailing ? { status: 'Failure', message: 'not today' } : { status: 'Success' }
  const response = { uid, result, convertedObjects }
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response }
}

beforeAll(async () => {
  webhook = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls += 1
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(respond(JSON.parse(Buffer.concat(chunks).toString()))))
    })
  })
  await new Promise<void>((resolve) => {
    webhook.listen(0, '127.0.0.1', resolve)
  })
  const env = { LOG_LEVEL: 'warn', ROLE: 'all', WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1' }
  server = await startTestServer({ env })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  webhook.close()
})

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(server.origin + path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function version(name: string, field: string) {
  const spec = { type: 'object', properties: { [field]: { type: 'integer' } } }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema } }
}

it('R36: converts objects through a webhook when they are read, listed and written', async () => {
  const { port } = webhook.address() as AddressInfo
  const clientConfig = { url: `http://127.0.0.1:${port}/convert` }
  const created = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'crews.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'crews', kind: 'Crew' },
      versions: [version('v1', 'size'), version('v2', 'count')],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig, conversionReviewVersions: ['v1'] },
      },
    },
  })
  expect(created.status).toBe(201)
  const path = '/apis/example.com/v2/crews'
  await expect.poll(async () => (await call('GET', path)).status).toBe(200)

  const crew = { apiVersion: 'example.com/v2', kind: 'Crew', metadata: { name: 'a' } }
  const written = await call('POST', path, { ...crew, spec: { count: 3 } })
  expect(written).toMatchObject({ status: 201, body: { spec: { count: 3 } } })
  await call('POST', path, { ...crew, metadata: { name: 'b' }, spec: { count: 4 } })
  expect((await call('GET', '/apis/example.com/v1/crews/a')).body.spec).toEqual({ size: 3 })

  calls = 0
  const list = await call('GET', path)
  expect(list.body.items.map(({ spec }: { spec: object }) => spec)).toEqual([
    { count: 3 },
    { count: 4 },
  ])
  expect(calls).toBe(1)

  isFailing = true
  const failed = await call('GET', `${path}/a`)
  expect(failed.body).toMatchObject({
    kind: 'Status',
    reason: 'InternalError',
    message: expect.stringContaining('not today'),
  })
  expect((await call('GET', '/apis/example.com/v1/crews/a')).status).toBe(200)
})
