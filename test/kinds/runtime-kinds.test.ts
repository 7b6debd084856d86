import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RegistryError, type RuntimeKind } from '../../src/store/registry/registry.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { openWatch } from '../watch/watch-client.ts'

const SHARED = {
  name: { minLength: 3, maxLength: 53 },
  requiredAdapters: [],
  references: [],
  messages: { available: 'Available', ready: 'Ready' },
} as const

const queue: RuntimeKind = {
  ...SHARED,
  kind: 'Queue',
  plural: 'queues',
  singular: 'queue',
  parent: null,
  spec: { type: 'object', required: ['depth'], properties: { depth: { type: 'integer' } } },
}

const consumer: RuntimeKind = {
  ...SHARED,
  kind: 'Consumer',
  plural: 'consumers',
  singular: 'consumer',
  parent: { kind: 'Cluster', onDelete: 'cascade' },
  spec: { type: 'object' },
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function createCluster(): Promise<{ readonly id: string }> {
  return (await server.post('/clusters', creation('Cluster'))).body
}

describe('a kind that is registered while the server runs', () => {
  test('is unknown until it is registered', async () => {
    expect((await server.get('/queues')).status).toBe(404)
    expect((await server.get('/openapi')).body.paths).not.toHaveProperty('/queues')
    server.registry.register(queue)
    expect((await server.get('/queues')).status).toBe(200)
  })

  test('is created, read, listed, searched, patched and reported on', async () => {
    const made = await server.post('/queues', { kind: 'Queue', name: 'one', spec: { depth: 3 } })
    expect(made).toMatchObject({ status: 201, body: { kind: 'Queue', spec: { depth: 3 } } })
    const { id } = made.body
    expect((await server.get(`/queues/${id}`)).body).toEqual(made.body)
    expect((await server.get(`/resources/${id}`)).body).toEqual(made.body)
    expect((await server.get('/queues/by-name/one')).body.id).toBe(id)
    expect((await server.get('/queues')).body.items).toEqual([made.body])
    expect((await server.get('/queues?search=spec.depth=3')).body.total).toBe(1)
    expect((await server.get('/queues?search=spec.depth=4')).body.total).toBe(0)
    expect((await server.get('/resources?kind=Queue')).body.total).toBe(1)
    const patched = await server.patch(`/queues/${id}`, { spec: { depth: 4 } })
    expect(patched).toMatchObject({ status: 200, body: { generation: 2 } })
    const conditions = [{ type: 'Available', status: 'True' }]
    const report = { adapter: 'a', observed_generation: 2, conditions }
    expect((await server.post(`/queues/${id}/statuses`, report)).status).toBe(201)
    expect((await server.get(`/queues/${id}/statuses`)).body.total).toBe(1)
  })

  test('is validated by its schema', async () => {
    const response = await server.post('/queues', { kind: 'Queue', name: 'two', spec: {} })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'spec.depth' }] } })
  })

  test('is watched', async () => {
    using watch = await openWatch(server, '/queues?watch=true')
    await watch.until(({ type }) => type === 'BOOKMARK')
    const body = { kind: 'Queue', name: 'watched', spec: { depth: 1 } }
    const { id } = (await server.post('/queues', body)).body
    const event = await watch.until(({ object }) => object.id === id)
    expect(event).toMatchObject({ type: 'ADDED', object: { kind: 'Queue' } })
  })

  test('is in the document, in the index and in the list of tags', async () => {
    const { paths, tags, components } = (await server.get('/openapi')).body
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/queues', '/queues/{queue_id}']))
    expect(components.schemas.QueueSpec).toEqual(queue.spec)
    expect(tags).toContainEqual({ name: 'Queue' })
    expect((await server.get('/openapi.yaml')).text).toContain('/queues/{queue_id}:')
    expect((await server.get('/api/hyperfleet/v1')).body.links).toHaveProperty('queues')
  })

  test('leaves the other kinds as they were', async () => {
    const body = { kind: 'Cluster', name: 'still-there', spec: {} }
    expect((await server.post('/clusters', body)).status).toBe(201)
  })
})

test('a child kind appears below its parent and in the snapshots of its tree', async () => {
  const { id: clusterId } = await createCluster()
  const before = await server.get(`/clusters/${clusterId}/snapshot?warm=true&includeEmpty=true`)
  server.registry.register(consumer)
  const path = `/clusters/${clusterId}/consumers`
  const made = await server.post(path, { kind: 'Consumer', name: 'one', spec: {} })
  expect(made.status).toBe(201)
  const token = made.headers.get('x-write-token')
  const after = await server.get(
    `/clusters/${clusterId}/snapshot?warm=true&minResourceVersion=${token}`,
  )
  const partsOf = (body: { resources: { resource: string }[] }) =>
    body.resources.map(({ resource }) => resource)
  expect(partsOf(before.body)).not.toContain('consumers')
  expect(partsOf(after.body)).toContain('consumers')
})

test('an open watch of all resources continues after a registration', async () => {
  using watch = await openWatch(server, '/resources?watch=true')
  await watch.until(({ type }) => type === 'BOOKMARK')
  server.registry.register({ ...queue, kind: 'Topic', plural: 'topics', singular: 'topic' })
  await server.post('/topics', { kind: 'Topic', name: 'one', spec: { depth: 1 } })
  const { id } = await createCluster()
  await watch.until(({ object }) => object.id === id)
})

describe('a kind that breaks the rules of boot', () => {
  test.each<[string, Partial<RuntimeKind>, string]>([
    ['its name is taken', { kind: 'Cluster' }, "Cluster: kind 'Cluster' is declared twice"],
    ['its path is taken', { plural: 'clusters' }, "Lane: plural 'clusters' is the plural of"],
    ['its parent does not exist', { parent: { kind: 'Road', onDelete: 'cascade' } }, "'Road'"],
    ['its schema is not valid', { spec: { type: 'text' } }, 'Lane: spec.type must be one of'],
    ['its schema is not an object', { spec: { type: 'string' } }, 'must have type: object'],
  ])('is rejected if %s', async (_what, change, message) => {
    const kind = { ...queue, kind: 'Lane', plural: 'lanes', singular: 'lane', ...change }
    expect(() => server.registry.register(kind)).toThrow(RegistryError)
    expect(() => server.registry.register(kind)).toThrow(message)
    expect((await server.get('/lanes')).status).toBe(404)
  })

  test('is not registered if its subresource has no handler', async () => {
    const kind: RuntimeKind = {
      ...queue,
      kind: 'Lane',
      plural: 'lanes',
      singular: 'lane',
      subresources: [
        { segment: 'scale', method: 'get', handler: 'no', operation: { operationId: 'x' } },
      ],
    }
    expect(() => server.registry.register(kind)).toThrow("handler 'no' of Lane scale")
    expect(server.registry.find('Lane')).toBeNull()
    expect((await server.get('/lanes')).status).toBe(404)
    expect((await server.get('/clusters')).status).toBe(200)
  })
})
