import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, KIND_CASES, report } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const get = (item: string, ifNoneMatch: string) =>
  server.request('GET', item, undefined, { ...JSON_TYPE, 'If-None-Match': ifNoneMatch })

describe.each(KIND_CASES)('conditional requests on $kind', (kindCase) => {
  const { collectionOf: _, ...rest } = kindCase
  const [adapter = ''] = rest.requiredAdapters

  test('every response with a single resource has the ETag of its version', async () => {
    const { body, item, collection } = await create(server, kindCase)
    const created = await server.post(collection, { ...body, id: '', name: 'with-etag' })
    expect(created.headers.get('etag')).toBe(`"${created.body.id}.1"`)
    const etagOf = async (method: string, sent?: unknown) =>
      (await server.request(method, item, sent)).headers.get('etag')
    expect(await etagOf('GET')).toBe(`"${body.id}.1"`)
    expect(await etagOf('HEAD')).toBe(`"${body.id}.1"`)
    expect(await etagOf('PATCH', { labels: { a: 'b' } })).toBe(`"${body.id}.2"`)
    expect(await etagOf('PATCH', { labels: { a: 'b' } })).toBe(`"${body.id}.2"`)
    expect(await etagOf('DELETE')).toBe(`"${body.id}.3"`)
  })

  test('the ETag changes with conditions and not with heartbeats', async () => {
    const { item } = await create(server, kindCase)
    const etag = async () => (await server.get(item)).headers.get('etag')
    const before = await etag()
    await server.post(`${item}/statuses`, report(adapter))
    const reported = await etag()
    expect(reported).not.toBe(before)
    await server.post(`${item}/statuses`, report(adapter))
    expect(await etag()).toBe(reported)
    expect((await get(item, reported ?? '')).status).toBe(304)
  })

  test('returns 304 without a body if If-None-Match has the current version', async () => {
    const { body, item } = await create(server, kindCase)
    const etag = `"${body.id}.1"`
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get(item, header)
      expect(response, header).toMatchObject({ status: 304, text: '' })
      expect(response.headers.get('etag')).toBe(etag)
    }
    expect(await get(item, `"${body.id}.2"`)).toMatchObject({ status: 200, body })
  })

  test.each(['PATCH', 'DELETE'])('%s succeeds with a matching If-Match', async (method) => {
    const { body, item } = await create(server, kindCase)
    const header = `"other", "${body.id}.1"`
    const sent = method === 'PATCH' ? { spec: { n: 1 } } : undefined
    const response = await server.request(method, item, sent, { ...JSON_TYPE, 'If-Match': header })
    expect(response.status).toBeLessThan(300)
    expect(response.body.generation).toBe(2)
  })

  test.each(['PATCH', 'DELETE'])('%s with a stale If-Match changes nothing', async (method) => {
    const { body, item } = await create(server, kindCase)
    await server.patch(item, { labels: { moved: 'on' } })
    const before = (await server.get(item)).body
    const sent = method === 'PATCH' ? { spec: { n: 1 } } : undefined
    for (const header of [`"${body.id}.1"`, `W/"${body.id}.2"`, '"unknown"']) {
      const response = await server.request(method, item, sent, {
        ...JSON_TYPE,
        'If-Match': header,
      })
      expect(response, header).toMatchObject({
        status: 412,
        body: {
          code: 'HYPERFLEET-CNF-002',
          status: 412,
          detail: expect.stringContaining('version 2'),
        },
      })
    }
    expect((await server.get(item)).body).toEqual(before)
  })

  test('force-delete respects If-Match', async () => {
    const { body, item } = await create(server, kindCase)
    await server.request('DELETE', item)
    const force = (etag: string) =>
      server.request(
        'POST',
        `${item}/force-delete`,
        { reason: 'r' },
        { ...JSON_TYPE, 'If-Match': etag },
      )
    expect((await force(`"${body.id}.1"`)).status).toBe(412)
    expect((await force(`"${body.id}.2"`)).status).toBe(204)
  })

  test('If-Match: * requires only that the resource exists', async () => {
    const { item } = await create(server, kindCase)
    const patch = (path: string) =>
      server.request('PATCH', path, { spec: { n: 2 } }, { ...JSON_TYPE, 'If-Match': '*' })
    expect((await patch(item)).status).toBe(200)
    expect((await patch(`${kindCase.flat}/unknown`)).status).toBe(404)
  })

  test('accepts lists of entity tags that contain commas or are weak', async () => {
    const { item } = await create(server, kindCase)
    const etag = String((await server.get(item)).headers.get('etag'))
    const patch = (header: string) =>
      server.request('PATCH', item, { labels: {} }, { ...JSON_TYPE, 'If-Match': header })
    expect((await patch(`"a,b",W/"c,d" ,${etag}`)).status).toBe(200)
    expect((await patch(`"a,${etag.slice(1)}`)).status).toBe(412)
    expect((await patch(`"a, ${etag}"`)).status).toBe(400)
    expect((await patch(`,${etag},, "x",`)).status).toBe(200)
    const read = await server.request('GET', item, undefined, { 'If-None-Match': `"1,2",${etag}` })
    expect(read.status).toBe(304)
  })

  test.each(['no-quotes', '"a", b', '', ',', '"a"b"', '"a""b"', '*, "a"', 'w/"a"'])(
    'rejects the entity tag %j',
    async (header) => {
      const { item } = await create(server, kindCase)
      const response = await server.request(
        'PATCH',
        item,
        { spec: {} },
        { ...JSON_TYPE, 'If-Match': header },
      )
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-000', errors: [{ field: 'if-match' }] },
      })
    },
  )
})
