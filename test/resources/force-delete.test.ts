import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareText } from '../../src/lib/text/compare-text.ts'
import { create, creation, KIND_CASES, queryDatabase } from '../support/fixtures.ts'
import { finalizing, reportAll } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const force = (item: string, body: unknown = { reason: 'the region is gone' }) =>
  server.request('POST', `${item}/force-delete`, body)

describe.each(KIND_CASES)('force-delete $kind', (kindCase) => {
  const { flat } = kindCase

  test('removes a resource that is being deleted and records the caller, the time and the reason', async () => {
    const { body, item } = await create(server, kindCase)
    await server.request('DELETE', item)
    expect(await force(item)).toMatchObject({ status: 204, text: '' })
    expect((await server.get(item)).status).toBe(404)
    const recorded = await queryDatabase(server, 'select * from force_deletions where id = $1', [
      body.id,
    ])
    expect(recorded).toEqual([
      {
        id: body.id,
        kind: kindCase.kind,
        name: body.name,
        owner_id: body.owner_references?.id ?? '',
        removed: [],
        reason: 'the region is gone',
        forced_by: 'system@hyperfleet.local',
        forced_time: expect.any(Date),
        tenant: '',
      },
    ])
  })

  test('rejects a resource that is not being deleted', async () => {
    const { body, item } = await create(server, kindCase)
    expect(await force(item)).toMatchObject({
      status: 409,
      body: { code: 'HYPERFLEET-CNF-003', detail: expect.stringContaining('DELETE it before') },
    })
    expect((await server.get(item)).body).toEqual(body)
  })

  test('returns 404 the second time', async () => {
    const { body } = await create(server, kindCase)
    await server.request('DELETE', `${flat}/${body.id}`)
    expect((await force(`${flat}/${body.id}`)).status).toBe(204)
    expect(await force(`${flat}/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'HYPERFLEET-NTF-001' },
    })
  })

  test.each([
    ['no reason', {}, 'reason is required'],
    ['an empty reason', { reason: '' }, 'reason is required'],
    ['a reason that is not a string', { reason: 5 }, 'reason must be string'],
    ['a reason longer than 1024', { reason: 'x'.repeat(1025) }, 'at most 1024 characters'],
  ])('rejects %s', async (_what, body, detail) => {
    const { item } = await create(server, kindCase)
    await server.request('DELETE', item)
    expect(await force(item, body)).toMatchObject({
      status: 400,
      body: { code: 'HYPERFLEET-VAL-000', detail: expect.stringContaining(detail) },
    })
    expect((await server.get(item)).status).toBe(200)
  })
})

test('force-delete of a parent removes its children and records their ids', async () => {
  const { body } = await server.post('/clusters', creation('Cluster'))
  const item = `/clusters/${body.id}`
  const pools: string[] = [
    (await server.post(`${item}/nodepools`, creation('NodePool'))).body.id,
    (await server.post(`${item}/nodepools`, creation('NodePool'))).body.id,
  ]
  await server.request('DELETE', item)
  expect((await force(item)).status).toBe(204)
  for (const pool of pools) expect((await server.get(`/nodepools/${pool}`)).status).toBe(404)
  const [recorded] = await queryDatabase(
    server,
    'select removed from force_deletions where id = $1',
    [body.id],
  )
  expect(recorded?.['removed']).toEqual(pools.toSorted(compareText))
})

test('force-delete of the last child removes a finalized parent', async () => {
  const { body } = await server.post('/clusters', creation('Cluster'))
  const item = `/clusters/${body.id}`
  const pool = (await server.post(`${item}/nodepools`, creation('NodePool'))).body.id
  await server.request('DELETE', item)
  const adapters = ['validator', 'dns', 'pullsecret', 'hypershift']
  await reportAll(server, item, adapters, finalizing(2))
  expect((await server.get(item)).status).toBe(200)
  expect((await force(`/nodepools/${pool}`)).status).toBe(204)
  expect((await server.get(item)).status).toBe(404)
})
