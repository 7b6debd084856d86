import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineKind } from '../../../src/store/registry/kind.ts'
import { creation, KIND_CASES, newName, queryDatabase } from '../../support/fixtures.ts'
import { JSON_TYPE } from '../../support/lifecycle.ts'
import { expectRefused, make, refs } from '../../support/references.ts'
import { referringKinds, wifConfig } from '../../support/referring-kinds.ts'
import { startTestServer, type TestResponse, type TestServer } from '../../support/test-server.ts'
import { type Pair, startPair } from '../../storage/two-servers.ts'

/** A kind whose schema has defaults. */
const preset = defineKind({
  ...wifConfig,
  kind: 'Preset',
  plural: 'presets',
  singular: 'preset',
  spec: {
    type: 'object',
    properties: {
      size: { type: 'integer', default: 3 },
      id: { type: 'string', readOnly: true },
    },
  },
})

let pair: Pair
let referring: TestServer

beforeAll(async () => {
  pair = await startPair()
  referring = await startTestServer({
    kinds: [...referringKinds, preset],
    env: { BODY_LIMIT_BYTES: '4096' },
    config: { bulkBodyLimitBytes: 16_384 },
  })
})
afterAll(async () => {
  await pair[Symbol.asyncDispose]()
  await referring[Symbol.asyncDispose]()
})

function bulk(collection: string, body: object, headers: Record<string, string> = {}, side = 0) {
  return pair.at(side).request('POST', `${collection}/bulk`, body, { ...JSON_TYPE, ...headers })
}

const clusters = (count: number, fields: object = {}) =>
  Array.from({ length: count }, () => creation('Cluster', fields))

const statusesOf = ({ body }: TestResponse): readonly number[] =>
  body.items.map(({ status }: { status: number }) => status)

async function liveNames(names: readonly string[]): Promise<number> {
  const { rows } = await pair.query(
    'select count(*)::integer as count from resources where name = any($1) and deleted_time is null',
    [names],
  )
  return rows[0].count
}

describe.each(KIND_CASES)('POST of bulk, for $kind', (kindCase) => {
  const { kind } = kindCase

  it('creates the same resources as single requests, in order', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const items = [1, 2, 3].map((size) =>
      creation(kind, { spec: { size }, labels: { size: `${size}` }, annotations: { a: 'b' } }),
    )
    const response = await bulk(collection, { items })
    expect(response).toMatchObject({
      status: 200,
      body: { kind: `${kind}BulkResult`, created: 3, failed: 0 },
    })
    expect(response.headers.get('x-write-token')).not.toBeNull()
    for (const [index, result] of response.body.items.entries()) {
      expect(result).toMatchObject({ index, status: 201, resource: items[index] })
      expect((await pair.at(1).get(`${collection}/${result.resource.id}`)).body).toEqual(
        result.resource,
      )
    }
    const single = await pair.at(0).post(collection, creation(kind))
    expect(Object.keys(single.body).toSorted()).toEqual(
      Object.keys(response.body.items[0].resource)
        .filter((name) => name !== 'annotations')
        .toSorted(),
    )
  })

  it('reports each failed item with its problem, and creates the others', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const taken = creation(kind)
    await pair.at(0).post(collection, taken)
    const twice = creation(kind)
    const items = [
      creation(kind),
      taken,
      { kind, name: 'Not A Name', spec: {} },
      twice,
      twice,
      { kind: 'Other', name: newName(), labels: { a: 1 } },
    ]
    const response = await bulk(collection, { items })
    expect(response).toMatchObject({ status: 200, body: { created: 2, failed: 4 } })
    expect(statusesOf(response)).toEqual([201, 409, 400, 201, 409, 400])
    expect(response.body.items[1].error).toMatchObject({
      status: 409,
      code: 'HYPERFLEET-CNF-001',
      instance: expect.stringMatching(/\/bulk$/),
      errors: [{ field: 'items[1].name', constraint: 'unique' }],
    })
    expect(response.body.items[2].error).toMatchObject({
      code: 'HYPERFLEET-VAL-000',
      errors: [
        { field: 'items[2].name', message: expect.stringMatching(/^items\[2\]\.name must/) },
      ],
    })
    const fields = response.body.items[5].error.errors.map(({ field }: { field: string }) => field)
    expect(fields.toSorted()).toEqual(['items[5].kind', 'items[5].labels.a', 'items[5].spec'])
  })

  it('creates nothing if it is atomic and one item fails', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const [taken, other] = [creation(kind), creation(kind)]
    await bulk(collection, { items: [taken, other] })
    const [first, last] = [creation(kind), creation(kind)]
    const response = await bulk(collection, { items: [first, taken, other, last], atomic: true })
    expectRefused(response, 409, 'CNF-001')
    expect(response.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'items[1].name',
      'items[2].name',
    ])
    const invalid = await bulk(collection, { items: [first, { kind, name: '-' }], atomic: true })
    expectRefused(invalid, 400, 'VAL-000')
    expect(await liveNames([first.name, last.name])).toBe(0)
    const created = await bulk(collection, { items: [first, last], atomic: true })
    expect(statusesOf(created)).toEqual([201, 201])
  })

  it('stores nothing in a dry run', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const items = [creation(kind), creation(kind)]
    const response = await pair.at(0).post(`${collection}/bulk?dryRun=All`, { items })
    expect(statusesOf(response)).toEqual([201, 201])
    expect(response.headers.get('x-write-token')).toBeNull()
    expect(await liveNames(items.map(({ name }) => name))).toBe(0)
  })

  it('returns the recorded response for a repeated Idempotency-Key', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const taken = creation(kind)
    await pair.at(0).post(collection, taken)
    const items = [creation(kind), taken, { kind, name: '-' }]
    const key = { 'Idempotency-Key': newName() }
    const first = await bulk(collection, { items }, key)
    const again = await bulk(collection, { items }, key, 1)
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await bulk(collection, { items: [creation(kind)] }, key)
    expectRefused(other, 422, 'VAL-000')
  })

  it.each([{ atomic: false }, { atomic: true }])(
    'answers concurrent requests with one key alike (%o)',
    async (options) => {
      const collection = await kindCase.collectionOf(pair.at(0))
      const items = [creation(kind), creation(kind), creation(kind)]
      const key = { 'Idempotency-Key': newName() }
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, side) => bulk(collection, { items, ...options }, key, side)),
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      expect(await liveNames(items.map(({ name }) => name))).toBe(3)
    },
  )

  it('warns about fields that it ignores', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const items = [creation(kind), creation(kind, { generation: 5, lables: {} })]
    const response = await bulk(collection, { items })
    expect(statusesOf(response)).toEqual([201, 201])
    expect(response.headers.get('warning')).toContain(
      "member 'items[1].generation' is set by the server",
    )
    expect(response.headers.get('warning')).toContain("member 'items[1].lables' is not known here")
  })
})

describe('POST of bulk', () => {
  it('creates 1000 clusters, which lists, totals and watches contain', async () => {
    const label = newName()
    const items = clusters(1000, { labels: { bulk: label } })
    const search = `search=${encodeURIComponent(`labels.bulk='${label}'`)}`
    const before = await pair.at(1).get('/clusters?pageSize=1')
    const { resource_version: from } = before.body
    const response = await bulk('/clusters', { items })
    expect(response.body).toMatchObject({ created: 1000, failed: 0 })
    const token = String(response.headers.get('x-write-token'))
    const found = await pair.at(1).get(`/clusters?${search}&pageSize=1&minResourceVersion=${token}`)
    expect(found.body.total).toBe(1000)
    const all = await pair.at(1).get(`/clusters?pageSize=1&minResourceVersion=${token}`)
    expect(all.body.total).toBe(before.body.total + 1000)
    const watched = await watchedNames(
      `/clusters?watch=true&${search}&resourceVersion=${from}`,
      1000,
    )
    expect(watched.toSorted()).toEqual(items.map(({ name }) => name).toSorted())
  })

  it('rejects an empty list, a list that is too long, and unknown members', async () => {
    const tooMany = await bulk('/clusters', { items: clusters(1001) })
    expect(tooMany).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'items', message: 'items must have at most 1000 items' }] },
    })
    // To validate the items as well would take quadratic time.
    const tooManyInvalid = await bulk('/clusters', { items: Array<number>(1001).fill(1) })
    expect(tooManyInvalid.status).toBe(400)
    expect(tooManyInvalid.body.errors).toEqual(tooMany.body.errors)
    for (const [body, field] of [
      [{ items: [] }, 'items'],
      [{}, 'items'],
      [{ items: clusters(1), atomc: true }, 'atomc'],
      [{ items: [5] }, 'items[0]'],
    ] as const) {
      const response = await bulk('/clusters', body)
      expect(response.status).toBe(400)
      expect(response.body.errors[0].field).toBe(field)
    }
  })

  it('creates each name once if requests with the same names overlap', async () => {
    const items = clusters(60)
    const requests = [items, items.toReversed(), items.slice(20), items.slice(0, 40)]
    const responses = await Promise.all(
      requests.map((list, side) => bulk('/clusters', { items: list }, {}, side)),
    )
    const created = responses.reduce((sum, { body }) => sum + Number(body.created), 0)
    expect(created).toBe(60)
    const statuses = new Set(responses.flatMap(statusesOf))
    expect([...statuses].every((status) => [201, 409].includes(status))).toBe(true)
    expect(await liveNames(items.map(({ name }) => name))).toBe(60)
  })

  it('creates all or nothing if atomic requests with the same names overlap', async () => {
    const items = clusters(30)
    const requests = [items, items.toReversed(), items.slice(10)]
    const responses = await Promise.all(
      requests.map((list, side) => bulk('/clusters', { items: list, atomic: true }, {}, side)),
    )
    const winner = responses.find(({ status }) => status === 200)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(2)
    expect(await liveNames(items.map(({ name }) => name))).toBe(winner?.body.created)
  })

  it('fails if the parent does not exist, and each item fails if the parent is being deleted', async () => {
    const items = [creation('NodePool'), creation('NodePool')]
    const key = { 'Idempotency-Key': newName() }
    expectRefused(await bulk('/clusters/none/nodepools', { items }, key), 404, 'NTF-001')
    expectRefused(await bulk('/clusters/none/nodepools', { items, atomic: true }), 404, 'NTF-001')
    const { rows } = await pair.query('select 1 from idempotency_keys where key = $1', [
      key['Idempotency-Key'],
    ])
    expect(rows).toEqual([])
    const { body } = await pair.at(0).post('/clusters', creation('Cluster'))
    await pair.at(0).request('DELETE', `/clusters/${body.id}`)
    const deleted = await bulk(`/clusters/${body.id}/nodepools`, { items })
    expect(statusesOf(deleted)).toEqual([409, 409])
    expect(deleted.body.items[0].error.errors).toMatchObject([{ field: 'items[0]' }])
  })

  it('never leaves a live child below a deleted parent', async () => {
    const { body } = await pair.at(0).post('/clusters', creation('Cluster'))
    const collection = `/clusters/${body.id}/nodepools`
    await Promise.all([
      ...Array.from({ length: 5 }, (_, side) =>
        bulk(collection, { items: [creation('NodePool'), creation('NodePool')] }, {}, side),
      ),
      pair.at(1).request('DELETE', `/clusters/${body.id}`),
    ])
    const { rows } = await pair.query(
      'select id from resources where owner_id = $1 and deleted_time is null',
      [body.id],
    )
    expect(rows).toEqual([])
  })

  it('has no flat path for a kind with a parent', async () => {
    const response = await bulk('/nodepools', { items: [creation('NodePool')] })
    expect([404, 405]).toContain(response.status)
  })
})

describe('POST of bulk for a kind with references', () => {
  it('checks the targets of each item', async () => {
    const [wif, gone] = [
      await make(referring, '/wifconfigs', 'WifConfig'),
      await make(referring, '/wifconfigs', 'WifConfig'),
    ]
    await referring.request('DELETE', `/wifconfigs/${gone}`)
    const channel = (references: object) => creation('Channel', { references })
    const response = await referring.post('/channels/bulk', {
      items: [
        channel({ wif_config: refs(wif) }),
        channel({ wif_config: refs(gone) }),
        channel({}),
        channel({ wif_config: refs(wif), subnet: refs('a', 'a') }),
      ],
    })
    expect(statusesOf(response)).toEqual([201, 400, 400, 400])
    expect(response.body.items).toMatchObject([
      { resource: { references: { wif_config: [{ id: wif }] } } },
      { error: { errors: [{ field: 'items[1].references.wif_config[0]', constraint: 'exists' }] } },
      { error: { errors: [{ field: 'items[2].references.wif_config' }] } },
      { error: { errors: [{ field: 'items[3].references.subnet[1].id' }] } },
    ])
    const rows = await queryDatabase(referring, "select refs from resources where kind = 'Channel'")
    expect(rows).toEqual([{ refs: { wif_config: [wif] } }])
  })

  it('applies the schema of the spec to each item, with its defaults', async () => {
    const item = (spec: object) => creation('Preset', { spec })
    const response = await referring.post('/presets/bulk', {
      items: [item({}), item({ size: 'x' }), item({ size: 5 }), item({ id: 'x' })],
    })
    expect(response.body.items).toMatchObject([
      { status: 201, resource: { spec: { size: 3 } } },
      { status: 400, error: { errors: [{ field: 'items[1].spec.size' }] } },
      { status: 201, resource: { spec: { size: 5 } } },
      { status: 400, error: { errors: [{ message: 'items[3].spec.id is read-only' }] } },
    ])
  })

  it('rejects a body with values that cannot be stored, with their places', async () => {
    const text = '{"items": [{"kind": "Preset", "name": "abc", "spec": {"a": "\\u0000"}}]}'
    const response = await referring.request('POST', '/presets/bulk', text, JSON_TYPE)
    expectRefused(response, 400, 'VAL-000')
    expect(response.body.errors[0].field).toBe('items[0].spec.a')
  })

  it('limits the size of each item and of the request', async () => {
    const wifConfig = (length: number) =>
      creation('WifConfig', { spec: { text: 'x'.repeat(length) } })
    const items = [wifConfig(3000), wifConfig(5000), wifConfig(3000)]
    const response = await referring.post('/wifconfigs/bulk', { items })
    expect(statusesOf(response)).toEqual([201, 413, 201])
    const large = await referring.post('/wifconfigs/bulk', {
      items: Array.from({ length: 6 }, () => wifConfig(3000)),
    })
    expectRefused(large, 413, 'VAL-006')
  })
})

/** The names of the first events of a watch. */
async function watchedNames(path: string, count: number): Promise<readonly string[]> {
  const stop = new AbortController()
  const url = `${pair.at(1).origin}/api/hyperfleet/v1${path}`
  const { body } = await fetch(url, { signal: stop.signal })
  const names: string[] = []
  let text = ''
  if (body === null) throw new Error('a watch has a body')
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const event = line === '' ? null : JSON.parse(line)
      if (event?.type === 'ADDED') names.push(event.object.name)
    }
    if (names.length >= count) break
  }
  stop.abort()
  return names
}
