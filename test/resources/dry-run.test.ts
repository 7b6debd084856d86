import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, creation, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { finalizing, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** All rows of the tables, with their transaction ids. */
async function allRows() {
  const tables = ['resources', 'adapter_statuses', 'force_deletions', 'idempotency_keys']
  return Promise.all(
    tables.map((table) =>
      queryDatabase(server, `select *, xmin::text from ${table} order by 1, 2`),
    ),
  )
}

const dry = (
  method: string,
  path: string,
  sent?: unknown,
  headers: Record<string, string> = JSON_TYPE,
) => server.request(method, `${path}?dryRun=All`, sent, headers)

describe.each(KIND_CASES)('dryRun=All on $kind', (kindCase) => {
  const { kind, requiredAdapters } = kindCase
  const [adapter = ''] = requiredAdapters

  test('returns the response of each write and stores nothing', async () => {
    const { body, item, collection } = await create(server, kindCase)
    await server.post(`${item}/statuses`, report(adapter))
    const deleted = await create(server, kindCase)
    await server.request('DELETE', deleted.item)
    const before = await allRows()

    const created = await dry('POST', collection, creation(kind), {
      ...JSON_TYPE,
      'Idempotency-Key': 'dry',
    })
    expect(created).toMatchObject({ status: 201, body: { generation: 1 } })
    expect((await server.get(`${collection}/${created.body.id}`)).status).toBe(404)
    expect(await dry('PATCH', item, { spec: { n: 1 } })).toMatchObject({
      status: 200,
      body: { id: body.id, generation: 2, spec: { n: 1 } },
    })
    expect(await dry('POST', `${item}/statuses`, report('new-one'))).toMatchObject({
      status: 201,
      body: { adapter: 'new-one' },
    })
    expect(await dry('POST', `${item}/statuses`, report(adapter))).toMatchObject({ status: 201 })
    expect(await dry('DELETE', item)).toMatchObject({
      status: 202,
      body: { deleted_time: expect.any(String) },
    })
    const forced = await dry('POST', `${deleted.item}/force-delete`, { reason: 'r' })
    expect(forced.status).toBe(204)
    expect(await allRows()).toEqual(before)
  })

  test('runs all checks', async () => {
    const { body, item, collection } = await create(server, kindCase)
    const statuses = [
      await dry('POST', collection, creation(kind, { name: body.name })),
      await dry('POST', collection, creation(kind, { name: '' })),
      await dry('PATCH', item, { nothing: 1 }),
      await dry('PATCH', item, { spec: {} }, { ...JSON_TYPE, 'If-Match': '"stale"' }),
      await dry('PATCH', `${kindCase.flat}/unknown`, { spec: {} }),
      await dry('POST', `${item}/force-delete`, { reason: 'r' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([409, 400, 400, 412, 404, 409])
  })

  test('of the last Finalized report keeps the resource', async () => {
    const { item } = await create(server, kindCase)
    await server.request('DELETE', item)
    const [last = '', ...others] = requiredAdapters
    await reportAll(server, item, others, finalizing(2))
    const path = `${item}/statuses`
    const response = await server.request('PUT', `${path}?dryRun=All`, finalizing(2)(last))
    expect(response.status).toBe(201)
    expect((await server.get(item)).status).toBe(200)
    await reportAll(server, item, [last], finalizing(2))
    expect((await server.get(item)).status).toBe(404)
  })

  test.each(['', 'true', 'all', 'None'])('rejects the value %j', async (value) => {
    const { item } = await create(server, kindCase)
    expect(await server.request('DELETE', `${item}?dryRun=${value}`)).toMatchObject({
      status: 400,
      body: { code: 'HYPERFLEET-VAL-000', errors: [{ field: 'dryRun' }] },
    })
    expect((await server.get(item)).body.deleted_time).toBeUndefined()
  })
})
