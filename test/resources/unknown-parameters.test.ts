import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creation, newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** Public paths of the document. They ignore unknown parameters. */
const PUBLIC = /^\/openapi/

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function newCluster(): Promise<string> {
  const { body } = await server.post('/clusters', creation('Cluster'))
  return `/clusters/${body.id}`
}

describe('unknown query parameters are rejected', () => {
  test('on every route and method of the document', async () => {
    const { paths } = (await server.get('/openapi')).body
    const operations = Object.entries<object>(paths)
      .filter(([template]) => !PUBLIC.test(template))
      .flatMap(([template, item]) => Object.keys(item).map((method) => ({ template, method })))
    expect(operations.length).toBeGreaterThanOrEqual(30)
    for (const { template, method } of operations) {
      const path = template.replaceAll(/\{\w+\}/g, 'x')
      const response = await server.request(method.toUpperCase(), `${path}?no-such=1`)
      expect(response, `${method} ${template}`).toMatchObject({
        status: 400,
        body: {
          code: 'HYPERFLEET-VAL-000',
          errors: [{ field: 'no-such', constraint: 'unknown' }],
        },
      })
    }
  })

  test.each([
    ['serach', 'search'],
    ['Search', 'search'],
    ['pagesize', 'pageSize'],
    ['order_by', 'orderBy'],
    ['resourceversion', 'resourceVersion'],
  ])('on a list, with a suggestion: %s, %s', async (field, near) => {
    const { status, body } = await server.get(`/clusters?${field}=name%3D'x'`)
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      {
        field,
        message: `'${field}' is not a query parameter of this request: did you mean '${near}'?`,
        constraint: 'unknown',
      },
    ])
  })

  test('before a misspelt dryRun deletes anything', async () => {
    const cluster = await newCluster()
    const response = await server.request('DELETE', `${cluster}?dryrun=All`)
    expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    expect(response.body.detail).toContain("did you mean 'dryRun'?")
    expect((await server.get(cluster)).body).not.toHaveProperty('deleted_time')
  })

  test('with the parameters of the route if none is near', async () => {
    const { detail } = (await server.get('/clusters?colour=blue')).body
    expect(detail).toMatch(/the parameters are page, pageSize, .*search/)
  })

  test('in one response, each of them once', async () => {
    const { body } = await server.get('/clusters?page=1&b=1&a=2&b=3&%C3%A9=4')
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['b', 'a', 'é'])
  })

  test('in HEAD requests, and with a fragment or invalid escapes', async () => {
    expect((await server.request('HEAD', '/clusters?x=1')).status).toBe(400)
    expect((await server.get('/clusters?%ff=%')).status).toBe(400)
    expect((await server.get('/clusters?__proto__=1')).status).toBe(400)
  })

  test('after the route is found, and before the body is read', async () => {
    expect((await server.get('/nowhere?x=1')).status).toBe(404)
    expect((await server.request('PUT', '/clusters?x=1')).status).toBe(405)
    const unread = await server.request('POST', '/clusters?x=1', '{', {
      'Content-Type': 'text/csv',
    })
    expect(unread).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
  })
})

describe('query parameters stay accepted', () => {
  test.each([
    ['a list of sentinels and command lines', '/clusters?search=&page=1&pageSize=5&order=asc'],
    ['both spellings of a page size', '/nodepools?size=5&pageSize=5'],
    ['empty pairs', '/clusters?&&page=1&'],
    ['encoded names', '/clusters?p%61ge=1'],
    ['the OpenAPI document', '/openapi?v=1'],
    ['the service', '/api/hyperfleet?v=1'],
  ])('by %s', async (_title, path) => {
    expect((await server.get(path)).status).toBe(200)
  })

  test("by an item's GET, for which HyperFleet's document lists search", async () => {
    const cluster = await newCluster()
    for (const path of [cluster, cluster.replace('/clusters', '/resources')]) {
      expect((await server.get(`${path}?search=name%3D'x'`)).status).toBe(200)
    }
  })
})

test('UNKNOWN_PARAMETERS=ignore accepts unknown query parameters', async () => {
  await using lenient = await startTestServer({ env: { UNKNOWN_PARAMETERS: 'ignore' } })
  const { body } = await lenient.post(`/clusters?x=1`, creation('Cluster', { name: newName() }))
  expect(body.kind).toBe('Cluster')
  expect((await lenient.get('/clusters?serach=x&%ff=%&&=')).body.total).toBe(1)
  expect((await lenient.get('/clusters?page=0')).status).toBe(400)
})
