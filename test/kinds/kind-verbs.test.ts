import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineKind, type Kind } from '../../src/store/registry/kind.ts'
import { targetOf } from '../../src/hyperfleet/verbs/requests/path-ids.ts'
import type { VerbHandler } from '../../src/hyperfleet/verbs/handler.ts'
import { readResource } from '../../src/store/operations/read/read-resource.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const SHARED = {
  name: { minLength: 3, maxLength: 53 },
  spec: { type: 'object', additionalProperties: true },
  requiredAdapters: [],
  references: [],
  messages: { available: 'Available', ready: 'Ready' },
} as const

const region = defineKind({
  ...SHARED,
  kind: 'Region',
  plural: 'regions',
  singular: 'region',
  parent: null,
})

const zone = defineKind({
  ...SHARED,
  kind: 'Zone',
  plural: 'zones',
  singular: 'zone',
  parent: { kind: 'Region', onDelete: 'cascade' },
  subresources: [
    {
      segment: 'capacity',
      method: 'get',
      handler: 'read-capacity',
      operation: {
        operationId: 'getZoneCapacity',
        summary: 'Get the capacity of a zone',
        responses: { 200: capacityResponse() },
      },
    },
    {
      segment: 'capacity',
      method: 'put',
      handler: 'set-capacity',
      operation: {
        operationId: 'setZoneCapacity',
        summary: 'Set the capacity of a zone',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['nodes'],
                properties: { nodes: { type: 'integer', minimum: 0 } },
              },
            },
          },
        },
        responses: { 200: capacityResponse() },
      },
    },
  ],
})

function capacityResponse() {
  const properties = { nodes: { type: 'integer' }, zone: { type: 'string' } }
  return {
    description: 'The capacity.',
    content: {
      'application/json': { schema: { type: 'object', required: ['zone'], properties } },
    },
  }
}

const readCapacity: VerbHandler = (context, route) => async (request, response) => {
  const { operations, representation } = context
  const { id } = await readResource(operations, targetOf(request, response, route), representation)
  response.json({ zone: id, nodes: 3 })
}

const setCapacity: VerbHandler = (context, route) => async (request, response) => {
  const { operations, representation } = context
  const { id } = await readResource(operations, targetOf(request, response, route), representation)
  const { nodes }: { readonly nodes: number } = request.body
  response.json({ zone: id, nodes })
}

const subresources = { 'read-capacity': readCapacity, 'set-capacity': setCapacity }
const full = [region, zone]
const readOnly: readonly Kind[] = [{ ...region, verbs: ['list', 'get'] }, zone]

let database: TestDatabase
let server: TestServer
let regionId: string
let zoneId: string

beforeAll(async () => {
  database = await createTestDatabase()
  const { url: databaseUrl } = database
  await using writable = await startTestServer({ kinds: full, subresources, databaseUrl })
  const body = { kind: 'Region', name: 'north', spec: {} }
  regionId = (await writable.post('/regions', body)).body.id
  const zones = `/regions/${regionId}/zones`
  zoneId = (await writable.post(zones, { kind: 'Zone', name: 'one', spec: {} })).body.id
  server = await startTestServer({ kinds: readOnly, subresources, databaseUrl })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('a kind that serves only list and get', () => {
  test('is listed and read', async () => {
    expect((await server.get('/regions')).body.total).toBe(1)
    expect((await server.get(`/regions/${regionId}`)).body.name).toBe('north')
    expect((await server.get(`/resources/${regionId}`)).body.name).toBe('north')
  })

  test.each([
    ['POST', '/regions'],
    ['PATCH', '/regions/ID'],
    ['DELETE', '/regions/ID'],
    ['PATCH', '/resources/ID'],
    ['DELETE', '/resources/ID'],
    ['POST', '/resources'],
  ])('returns 405 with Allow for %s %s', async (method, path) => {
    const body = { kind: 'Region', name: 'south', spec: {} }
    const response = await server.request(method, path.replace('ID', regionId), body)
    expect(response).toMatchObject({ status: 405, body: { code: 'HYPERFLEET-NTF-000' } })
    expect(response.headers.get('allow')).toContain('GET, HEAD')
    expect(response.headers.get('allow')).not.toMatch(/POST|PATCH|DELETE/)
  })

  test.each(['/regions/ID/statuses', '/regions/ID/force-delete', '/regions/by-name/north'])(
    'has no path %s',
    async (path) => {
      const { status } = await server.get(path.replace('ID', regionId))
      expect(status).toBe(404)
    },
  )

  test('has only these operations and their schemas in the document', async () => {
    const { paths, components } = (await server.get('/openapi')).body
    const own = Object.entries<object>(paths).filter(([path]) => /^\/regions(?!.*zones)/.test(path))
    expect(own.map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/regions', ['get']],
      ['/regions/{region_id}', ['get']],
    ])
    expect(Object.keys(components.schemas).filter((name) => name.includes('Region'))).toEqual([
      'RegionSpec',
      'Region',
      'PartialRegion',
      'RegionList',
    ])
    expect(paths['/resources']).not.toHaveProperty('post')
  })

  test('still has children with all operations', async () => {
    const zones = `/regions/${regionId}/zones`
    const made = await server.post(zones, { kind: 'Zone', name: 'two', spec: {} })
    expect(made.status).toBe(201)
    expect((await server.patch(`/resources/${made.body.id}`, { spec: { a: 1 } })).status).toBe(200)
  })
})

describe('a subresource', () => {
  test('is served on the flat and on the nested path', async () => {
    for (const path of [`/zones/${zoneId}`, `/regions/${regionId}/zones/${zoneId}`]) {
      expect((await server.get(`${path}/capacity`)).body).toEqual({ zone: zoneId, nodes: 3 })
      const set = await server.put(`${path}/capacity`, { nodes: 7 })
      expect(set).toMatchObject({ status: 200, body: { zone: zoneId, nodes: 7 } })
    }
  })

  test('rejects a body that its schema does not allow', async () => {
    const response = await server.put(`/zones/${zoneId}/capacity`, { nodes: -1 })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'nodes' }] } })
  })

  test('returns 404 for a resource that does not exist', async () => {
    expect((await server.get('/zones/none/capacity')).status).toBe(404)
  })

  test('returns 405 for other methods', async () => {
    const response = await server.request('DELETE', `/zones/${zoneId}/capacity`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT'])
  })

  test('has its operation in the document, once for each path', async () => {
    const { paths } = (await server.get('/openapi')).body
    expect(paths['/zones/{zone_id}/capacity'].get).toMatchObject({
      operationId: 'getZoneCapacity',
      tags: ['Zone'],
      parameters: [{ name: 'zone_id', in: 'path' }],
    })
    const nested = paths['/regions/{region_id}/zones/{zone_id}/capacity']
    expect(nested.put.operationId).toBe('setZoneCapacityOfRegion')
  })
})

test('a subresource without a handler fails the start', async () => {
  const { url: databaseUrl } = database
  await expect(startTestServer({ kinds: full, databaseUrl })).rejects.toThrow(
    "handler 'read-capacity' of Zone capacity",
  )
})
