import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { availableReport } from '../statuses/available-report.ts'
import { conditionsOf, creation, KIND_CASES, newName } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { expectRefused, make, refs } from '../support/references.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, ...referringKinds] })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('POST /resources', () => {
  it('creates a resource of the kind in the body, like its own collection', async () => {
    const response = await server.post('/resources', creation('Cluster', { labels: { a: 'b' } }))
    expect(response.status, response.text).toBe(201)
    expect(response.body).toMatchObject({ kind: 'Cluster', generation: 1, labels: { a: 'b' } })
    expect(response.headers.get('location')).toBe(response.body.href)
    expect((await server.get(response.body.href)).body).toEqual(response.body)
    expect((await server.get(`/resources/${response.body.id}`)).body).toEqual(response.body)
  })

  it("applies the kind's rules to references", async () => {
    const wif = await make(server, '/resources', 'WifConfig')
    const net = await make(server, '/networks', 'Network')
    const subnet = await make(server, `/networks/${net}/subnets`, 'Subnet')
    const references = { wif_config: refs(wif), subnet: refs(subnet) }
    const response = await server.post('/resources', creation('Channel', { references }))
    expect(response.status, response.text).toBe(201)
    expect(response.body.references.wif_config).toMatchObject([{ id: wif, kind: 'WifConfig' }])
  })

  it("reports every violation of the kind's rules", async () => {
    const response = await server.post('/resources', { kind: 'Cluster', name: 'A', labels: 5 })
    expectRefused(response, 400, 'VAL-000')
    const fields = response.body.errors.map(({ field }: { field: string }) => field)
    expect(new Set(fields)).toEqual(new Set(['name', 'spec', 'labels']))
    expect(response.body.instance).toBe('/api/hyperfleet/v1/resources')
  })

  it.each<[string, object, string]>([
    ['no kind', {}, 'kind is required'],
    ['a null kind', { kind: null }, 'kind is required'],
    ['a kind in lower case', { kind: 'cluster' }, "'cluster' is not a kind: did you mean Cluster?"],
    ['an unknown kind', { kind: 'Dog' }, "'Dog' is not a kind: use one of Cluster"],
  ])('returns 400 for %s', async (_what, fields, detail) => {
    const response = await server.post('/resources', { name: newName(), spec: {}, ...fields })
    expect(expectRefused(response, 400, 'VAL-000')).toContain(detail)
    expect(response.body.errors).toMatchObject([{ field: 'kind' }])
  })

  it.each<[string, unknown, number]>([
    ['no body', undefined, 400],
    ['a list', [], 400],
    ['broken JSON', '{"kind": "Cluster"', 400],
  ])('returns VAL-006 for %s', async (_what, body, status) => {
    expectRefused(await server.request('POST', '/resources', body, JSON_TYPE), status, 'VAL-006')
  })

  it('returns 422 with the nested path for a kind with a parent', async () => {
    const response = await server.post('/resources', creation('NodePool'))
    expect(expectRefused(response, 422, 'VAL-000')).toBe(
      'A NodePool is created below its Cluster: POST /api/hyperfleet/v1/clusters/{cluster_id}/nodepools',
    )
  })

  it('supports Idempotency-Key and dryRun', async () => {
    const body = creation('Cluster')
    const headers = { ...JSON_TYPE, 'Idempotency-Key': newName() }
    const dry = await server.request('POST', '/resources?dryRun=All', body, JSON_TYPE)
    expect(dry.status).toBe(201)
    const first = await server.request('POST', '/resources', body, headers)
    const again = await server.request('POST', '/resources', body, headers)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe.each(KIND_CASES)(
  '/resources/{id} of a $kind',
  ({ kind, collectionOf, requiredAdapters }) => {
    const created = async () => {
      const id = await make(server, await collectionOf(server), kind)
      return { id, item: `/resources/${id}` }
    }

    it('supports PATCH in every format', async () => {
      const { item } = await created()
      const patched = await server.patch(item, { spec: { size: 2 } })
      expect(patched).toMatchObject({
        status: 200,
        body: { kind, generation: 2, spec: { size: 2 } },
      })
      const merged = await server.request(
        'PATCH',
        item,
        { labels: { a: '1' } },
        { 'Content-Type': 'application/merge-patch+json' },
      )
      expect(merged).toMatchObject({ status: 200, body: { labels: { a: '1' } } })
      const steps = [{ op: 'replace', path: '/spec/size', value: 3 }]
      const stepped = await server.request('PATCH', item, steps, {
        'Content-Type': 'application/json-patch+json',
      })
      expect(stepped).toMatchObject({ status: 200, body: { spec: { size: 3 } } })
      expect((await server.get(item)).body).toEqual(stepped.body)
      const stale = await server.request(
        'PATCH',
        item,
        { spec: {} },
        { ...JSON_TYPE, 'If-Match': patched.headers.get('etag') ?? '' },
      )
      expect(stale.status).toBe(412)
      const wrong = await server.patch(item, { spec: {}, name: 'other' })
      expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: 'name' }] } })
      expect(wrong.body.instance).toBe(`/api/hyperfleet/v1${item}`)
    })

    it('accepts reports with POST and PUT, and lists them', async () => {
      const { item } = await created()
      const [first = '', ...others] = requiredAdapters
      const strict = ['Available', 'Applied', 'Health'].map((type) => ({ type, status: 'True' }))
      const put = await server.put(`${item}/statuses`, {
        adapter: first,
        observed_generation: 1,
        conditions: strict,
      })
      expect(put.status, put.text).toBe(201)
      for (const adapter of others) {
        const response = await server.post(`${item}/statuses`, availableReport(adapter, 1))
        expect(response.status, response.text).toBe(201)
      }
      const { body } = await server.get(`${item}/statuses?orderBy=adapter`)
      expect(body).toMatchObject({ kind: 'AdapterStatusList', total: requiredAdapters.length })
      const shown = conditionsOf((await server.get(item)).body)
      expect(shown.get('Ready')).toMatchObject({ status: 'True' })
      const incomplete = await server.put(`${item}/statuses`, { adapter: first, conditions: [] })
      expect(incomplete.status).toBe(400)
    })

    it('supports DELETE and force-delete', async () => {
      const { item } = await created()
      expect(await server.request('DELETE', `${item}?dryRun=All`)).toMatchObject({ status: 202 })
      expect((await server.get(item)).body).not.toHaveProperty('deleted_time')
      const early = await server.post(`${item}/force-delete`, { reason: 'too early' })
      expectRefused(early, 409, 'CNF-003')
      const deleted = await server.request('DELETE', item)
      expect(deleted).toMatchObject({ status: 202, body: { kind, generation: 2 } })
      expect((await server.post(`${item}/force-delete`, {})).status).toBe(400)
      expect((await server.post(`${item}/force-delete`, { reason: 'stuck' })).status).toBe(204)
      expectRefused(await server.get(item), 404, 'NTF-001')
    })
  },
)

test('every request for an unknown id of /resources returns 404', async () => {
  const item = '/resources/nowhere'
  const responses = [
    await server.patch(item, { spec: {} }),
    await server.request('DELETE', item),
    await server.post(`${item}/force-delete`, { reason: 'x' }),
    await server.get(`${item}/statuses`),
    await server.post(`${item}/statuses`, availableReport('dns', 1)),
    await server.put(`${item}/statuses`, availableReport('dns', 1)),
  ]
  for (const response of responses) {
    expect(expectRefused(response, 404, 'NTF-001')).toBe("Resource with id='nowhere' not found")
  }
})

test.each([
  ['PATCH', '/resources/x?dryrun=All'],
  ['DELETE', '/resources/x?force=true'],
  ['POST', '/resources?dry_run=All'],
  ['GET', '/resources/x/statuses?serach=a'],
])('%s %s is rejected because of its unknown parameter', async (method, path) => {
  const body = method === 'GET' ? undefined : {}
  expectRefused(await server.request(method, path, body, JSON_TYPE), 400, 'VAL-000')
})

describe('POST on the flat path of a kind with a parent', () => {
  it.each([
    ['/nodepools', 'NodePool', '/clusters/{cluster_id}/nodepools'],
    ['/subnets', 'Subnet', '/networks/{network_id}/subnets'],
  ])('returns 422 with the nested path: %s', async (path, kind, nested) => {
    for (const body of [creation(kind), {}, undefined]) {
      const response = await server.request('POST', path, body, JSON_TYPE)
      const detail = expectRefused(response, 422, 'VAL-000')
      expect(detail).toContain(`POST /api/hyperfleet/v1${nested}`)
    }
    expect((await server.get(path)).status).toBe(200)
  })
})
