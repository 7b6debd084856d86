import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, creation, KIND_CASES, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const nodePool = KIND_CASES[1] ?? expect.unreachable()

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const ODD_IDS = {
  unknown: '2zzzzzzzzzzzzzzzzzzzzzzzzzz',
  NUL: 'a%00b',
  'an emoji': '%F0%9F%98%80',
  'a blank': '%20',
  'a slash': '%2F',
  'a dot': 'a.b',
  'a quote': "'",
  'a double quote': '%22',
  'a backslash': '%5C',
  'a percent sign': '%25',
  'a wildcard': '*',
  'a colon': ':id',
  braces: '%7Bid%7D',
  'a newline': '%0A',
  __proto__: '__proto__',
  'a long text': 'x'.repeat(60_000),
}

describe.each(KIND_CASES)('get $kind', (kindCase) => {
  const { kind, flat } = kindCase

  test('returns the same response with and without the parent in the path', async () => {
    const { body, item } = await create(server, kindCase, { labels: { a: 'b' } })
    for (const path of [item, `${flat}/${body.id}`, body.href]) {
      const response = await server.get(path)
      expect(response).toMatchObject({ status: 200, body })
      expect(response.body).toEqual(body)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  test('responds to HEAD with the headers of GET and no body', async () => {
    const { item } = await create(server, kindCase)
    const get = await server.get(item)
    const head = await server.request('HEAD', item)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    expect(await server.request('HEAD', `${flat}/nowhere`)).toMatchObject({ status: 404, text: '' })
  })

  test('returns 404 for a resource of another kind', async () => {
    for (const other of KIND_CASES.filter((candidate) => candidate !== kindCase)) {
      const { body } = await create(server, other)
      expect(await server.get(`${flat}/${body.id}`)).toMatchObject({ status: 404 })
    }
  })

  test.each(Object.entries(ODD_IDS))('returns 404 NTF-001 for the id %s', async (_what, id) => {
    const paths = [`${flat}/${id}`, `${flat}/${id}/statuses`]
    for (const path of paths) {
      const response = await server.get(path)
      expect(response).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
      expect(response.body.detail).toContain(`${kind} with id='`)
    }
    const patched = await server.patch(`${flat}/${id}`, { labels: {} })
    const reported = await server.post(`${flat}/${id}/statuses`, report('validator'))
    for (const response of [patched, reported]) {
      expect(response).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
    }
  })

  test.each(['%zz', '%', '%ff', '%c3%28'])(
    'returns 400 for the invalid encoding %s',
    async (id) => {
      for (const path of [`${flat}/${id}`, `${flat}/${id}/statuses`]) {
        expect(await server.get(path)).toMatchObject({
          status: 400,
          body: { code: 'HYPERFLEET-VAL-000' },
        })
      }
    },
  )
})

describe('a node pool', () => {
  test('is not found through another cluster, with any method', async () => {
    const { body } = await create(server, nodePool)
    const other = (await server.post('/clusters', creation('Cluster'))).body
    const item = `/clusters/${other.id}/nodepools/${body.id}`
    const responses = [
      await server.get(item),
      await server.patch(item, { spec: {} }),
      await server.get(`${item}/statuses`),
      await server.post(`${item}/statuses`, report('validator')),
    ]
    for (const response of responses) {
      expect(response).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
      expect(response.body.detail).toBe(`NodePool with id='${body.id}' not found`)
    }
  })

  test.each(Object.entries(ODD_IDS))(
    'is not found through a cluster with the id %s',
    async (_what, id) => {
      const { body } = await create(server, nodePool)
      const item = `/clusters/${id}/nodepools/${body.id}`
      const responses = [
        await server.get(item),
        await server.patch(item, { spec: {} }),
        await server.get(`${item}/statuses`),
        await server.post(`${item}/statuses`, report('validator')),
        await server.post(`/clusters/${id}/nodepools`, creation('NodePool')),
        await server.get(`/clusters/${id}/nodepools`),
      ]
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    },
  )
})
