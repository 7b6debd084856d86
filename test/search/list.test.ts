import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { compareText } from '../../src/lib/text/compare-text.ts'
import { create, creation, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { proofTurns } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const COUNT = 107
const PAGE_SIZE = 23

interface Item {
  readonly id: string
  readonly name: string
  readonly generation: number
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly labels: Readonly<Record<string, string>>
}

const cluster = KIND_CASES[0] ?? expect.unreachable()
const nodePool = KIND_CASES[1] ?? expect.unreachable()

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

/** Every item of a list, page by page. */
async function pages(path: string, query: string): Promise<Item[]> {
  const numbers = Array.from({ length: Math.ceil(COUNT / PAGE_SIZE) }, (_, index) => index + 1)
  const responses = await Promise.all(
    numbers.map((page) => server.get(`${path}?pageSize=${PAGE_SIZE}&page=${page}&${query}`)),
  )
  for (const [index, { status, body }] of responses.entries()) {
    const last = index === responses.length - 1
    expect({ status, ...body, items: null }).toMatchObject({
      status: 200,
      kind: 'ClusterList',
      page: index + 1,
      size: last ? COUNT % PAGE_SIZE : PAGE_SIZE,
      total: COUNT,
      items: null,
    })
    expect(body.items).toHaveLength(body.size)
  }
  return responses.flatMap(({ body }) => body.items)
}

/** Every item of a list, by its cursors. */
async function pagesByCursor(path: string, query: string): Promise<Item[]> {
  const items: Item[] = []
  let after = ''
  for (let page = 1; ; page += 1) {
    const { status, body } = await server.get(`${path}?pageSize=${PAGE_SIZE}&${query}${after}`)
    expect({ status, ...body, items: null }).toMatchObject({ status: 200, page, total: COUNT })
    items.push(...body.items)
    if (body.next === null) return items
    expect(body.size).toBe(PAGE_SIZE)
    after = `&after=${body.next}`
  }
}

type Comparison = (a: Item, b: Item) => number

const by =
  (value: (item: Item) => string | number): Comparison =>
  (a, b) => {
    const [first, second] = [value(a), value(b)]
    return typeof first === 'number' || typeof second === 'number'
      ? Number(first) - Number(second)
      : compareText(first, second)
  }
const reversed =
  (comparison: Comparison): Comparison =>
  (a, b) =>
    comparison(b, a)
const all =
  (...comparisons: readonly Comparison[]): Comparison =>
  (a, b) =>
    comparisons.reduce((order, comparison) => order || comparison(a, b), 0)

const id = by((item) => item.id)
const name = by((item) => item.name)
const created = by((item) => item.created_time)
const generation = by((item) => item.generation)
/** A label that is absent is behind every other. */
const tier = by((item) => item.labels['tier'] ?? '\u{10ffff}')

describe('107 clusters', () => {
  beforeAll(async () => {
    const tiers = ['a', 'B', '\u00e9', '\u{1f600}', '\ufffd', '', null]
    const creations = Array.from({ length: COUNT }, (_, index) => {
      const value = tiers[index % tiers.length]
      return { labels: typeof value === 'string' ? { tier: value } : {} }
    })
    for (let start = 0; start < COUNT; start += 5) {
      await Promise.all(
        creations.slice(start, start + 5).map(async (members) => {
          const { body, item } = await create(server, cluster, members)
          if (body.id.charCodeAt(26) % 3 === 0) await server.patch(item, { spec: {} })
        }),
      )
    }
  })

  test.each<[string, Comparison]>([
    ['', all(reversed(created), reversed(id))],
    ['order=asc', all(created, id)],
    ['order=desc', all(reversed(created), reversed(id))],
    ['orderBy=', all(reversed(created), reversed(id))],
    ['orderBy=created_time', all(created, id)],
    ['orderBy=created_time desc', all(reversed(created), reversed(id))],
    ['orderBy=id', id],
    ['orderBy=id&order=desc', reversed(id)],
    ['orderBy=name', name],
    ['orderBy=name&order=desc', reversed(name)],
    ['orderBy=name asc&order=desc', name],
    ['orderBy=name DESC', reversed(name)],
    [
      'orderBy=updated_time',
      all(
        by((item) => item.updated_time),
        id,
      ),
    ],
    ['orderBy=generation', all(generation, id)],
    ['orderBy=generation desc', all(reversed(generation), reversed(id))],
    ['orderBy=generation desc, name', all(reversed(generation), name)],
    ['orderBy=generation , name desc&order=asc', all(generation, reversed(name))],
    [
      'orderBy=generation,created_time&order=desc',
      all(reversed(generation), reversed(created), reversed(id)),
    ],
    ['orderBy=created_by', id],
    ['orderBy=created_by,updated_by desc', reversed(id)],
    ['orderBy=generation,generation desc', all(generation, reversed(id))],
    ['orderBy=labels.tier', all(tier, id)],
    ['orderBy=labels.tier desc', all(reversed(tier), reversed(id))],
    ['orderBy=labels.tier,id desc', all(tier, reversed(id))],
    ['orderBy=labels.app.kubernetes.io/name,id', id],
    ['order=', all(reversed(created), reversed(id))],
    ['order=&orderBy=', all(reversed(created), reversed(id))],
    ['order=&orderBy=name', name],
    ['order=name', name],
    ['order=name desc', reversed(name)],
    ['order=name desc,created_time asc', reversed(name)],
    ['order=name desc&orderBy=', reversed(name)],
    ['order= generation DESC , created_time ', all(reversed(generation), created, id)],
    ['order=labels.tier desc', all(reversed(tier), reversed(id))],
    ['order=created_time', all(created, id)],
  ])('come page by page without gap or double, in the order of "%s"', async (query, comparison) => {
    const items = await pages('/clusters', query)
    expect(new Set(ids(items)).size).toBe(COUNT)
    expect(ids(items)).toEqual(ids(items.toSorted(comparison)))
    expect(ids(await pagesByCursor('/clusters', query))).toEqual(ids(items))
  })

  test.each(['orderBy=href', 'orderBy=deleted_time', 'orderBy=deleted_by desc,labels.tier desc'])(
    'are the same by cursor in the order of "%s"',
    async (query) => {
      const byNumber = ids(await pages('/clusters', query))
      expect(ids(await pagesByCursor('/clusters', query))).toEqual(byNumber)
    },
  )

  test('continue after removed items and before added ones', async () => {
    const path = `/clusters?pageSize=${PAGE_SIZE}&orderBy=name&search=labels.cursor='true'`
    const labels = { cursor: 'true' }
    const created = await Promise.all(
      Array.from({ length: PAGE_SIZE + 1 }, () => create(server, cluster, { labels })),
    )
    const first = (await server.get(path)).body
    await queryDatabase(server, 'delete from resources where id = any($1)', [ids(first.items)])
    const rest = (await server.get(`${path}&after=${first.next}`)).body
    expect(rest).toMatchObject({ page: 2, size: 1, total: PAGE_SIZE + 1, next: null })
    expect(new Set(ids([...first.items, ...rest.items]))).toEqual(
      new Set(created.map(({ body }) => body.id)),
    )
    await queryDatabase(server, 'delete from resources where id = any($1)', [ids(rest.items)])
  })

  test('reject a cursor of another order, filter or path, and any other text', async () => {
    const { next } = (await server.get('/clusters?orderBy=name&pageSize=1')).body
    const forged = (position: unknown): string => {
      const parts = JSON.parse(Buffer.from(next, 'base64url').toString())
      return Buffer.from(JSON.stringify([...parts.slice(0, 3), position])).toString('base64url')
    }
    for (const query of [
      `orderBy=name desc&after=${next}`,
      `orderBy=id&after=${next}`,
      `orderBy=name&search=labels.tier='a'&after=${next}`,
      `orderBy=name&page=2&after=${next}`,
      'after=',
      'after=x',
      `after=${Buffer.from('[1,2]').toString('base64url')}`,
      ...[null, [], ['a'], [1, 'b'], ['a', 'b', 'c'], ['a\0', 'b'], [null, 'b']].map(
        (position) => `orderBy=name&after=${forged(position)}`,
      ),
    ]) {
      const { status, body } = await server.get(`/clusters?${query}`)
      expect({ query, status, code: body.code }).toEqual({
        query,
        status: 400,
        code: 'HYPERFLEET-VAL-000',
      })
      expect(body.errors[0].field).toBe('after')
    }
    expect((await server.get(`/resources?orderBy=name&after=${next}`)).status).toBe(400)
    expect((await server.get(`/clusters?orderBy=name&after=${next}`)).status).toBe(200)
  })

  test('reject a cursor with a page or a number of items that cannot be', async () => {
    const path = `/clusters?pageSize=${PAGE_SIZE}&search=generation>0`
    const second = (await server.get(`${path}&page=2`)).body
    const [digest, , , position] = JSON.parse(Buffer.from(second.next, 'base64url').toString())
    const read = (page: unknown, seen: unknown) => {
      const parts = JSON.stringify([digest, page, seen, position])
      return server.get(`${path}&after=${Buffer.from(parts).toString('base64url')}`)
    }
    const impossible = [
      ...[0, 1, -3, 2.5, '3', null, 4].map((page) => [page, 2]),
      ...[0, 1, -1, 2001, 1.5, '2', null].map((seen) => [3, seen]),
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ]
    for (const [page, seen] of impossible) {
      const { status, body } = await read(page, seen)
      expect([page, seen, status, body.errors?.[0].field]).toEqual([page, seen, 400, 'after'])
    }
    expect((await read(3, 2 * PAGE_SIZE)).body.page).toBe(3)
    // Pages may have other sizes.
    for (const seen of [2, 2000]) expect((await read(3, seen)).status).toBe(200)
  })

  test('reject a time that PostgreSQL could not read', async () => {
    const { next } = (await server.get('/clusters?pageSize=1')).body
    const parts = JSON.parse(Buffer.from(next, 'base64url').toString())
    for (const time of ['infinity', '2026-13-01T00:00:00Z', '99999-01-01T00:00:00Z', 'now', 1]) {
      parts[3][0] = time
      const after = Buffer.from(JSON.stringify(parts)).toString('base64url')
      expect((await server.get(`/clusters?after=${after}`)).status).toBe(400)
    }
  })

  test('come in pages of 100 if the request has no pageSize', async () => {
    const { body } = await server.get('/clusters')
    expect(body).toMatchObject({ kind: 'ClusterList', page: 1, size: 100, total: COUNT })
    expect(body.items).toHaveLength(100)
  })

  test('are compressed for clients that accept it', async () => {
    const url = `${server.origin}${BASE_PATH}/clusters`
    const [packed, whole] = await Promise.all(
      ['gzip', 'identity'].map((encoding) =>
        fetch(`${url}?pageSize=50`, { headers: { 'Accept-Encoding': encoding } }),
      ),
    )
    expect(packed?.headers.get('content-encoding')).toBe('gzip')
    expect(whole?.headers.get('content-encoding')).toBeNull()
    // Reads at the same time can have different resource versions.
    const resource_version = expect.any(String)
    expect(await packed?.json()).toEqual(
      Object.assign({}, await whole?.json(), { resource_version }),
    )
    const watch = await fetch(`${url}?watch=true`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(watch.headers.get('content-encoding')).toBeNull()
    await watch.body?.cancel()
  })

  test('end with an empty page that has the real total', async () => {
    for (const page of [6, 1000, 2_147_483_648, Number.MAX_SAFE_INTEGER, '99999999999999999999']) {
      const { status, body } = await server.get(`/clusters?pageSize=${PAGE_SIZE}&page=${page}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        kind: 'ClusterList',
        page: Number(page),
        size: 0,
        total: COUNT,
        items: [],
      })
    }
  })

  test('come with the exact total of a search, page by page', async () => {
    const search = encodeURIComponent("labels.tier = 'a'")
    const found: string[] = []
    for (let page = 1, total = 1; found.length < total; page += 1) {
      const { body } = await server.get(`/clusters?search=${search}&pageSize=10&page=${page}`)
      expect(body).not.toHaveProperty('total_is_estimate')
      total = body.total
      found.push(...ids(body.items))
    }
    expect(new Set(found).size).toBe(16)
  })

  test('stop at 1000 a page', async () => {
    const parent = await create(server, nodePool)
    await queryDatabase(
      server,
      `insert into resources (id, kind, name, owner_id, generation, version, spec, labels,
         conditions, cond, created_time, updated_time, created_by, updated_by)
       select id || n, kind, name || n, owner_id, generation, version, spec, labels,
         conditions, cond, created_time, updated_time, created_by, updated_by
       from resources, generate_series(1, 1004) as n where id = $1`,
      [parent.body.id],
    )
    const path = parent.collection
    expect((await server.get(`${path}?pageSize=1000`)).body).toMatchObject({
      size: 1000,
      total: 1005,
    })
    expect((await server.get(`${path}?pageSize=1001`)).body).toMatchObject({
      size: 1000,
      total: 1005,
    })
    expect((await server.get(`${path}?pageSize=9999999999`)).body.size).toBe(1000)
    expect((await server.get(`${path}?pageSize=5000&page=2`)).body).toMatchObject({
      page: 2,
      size: 5,
    })
    expect((await server.get(`${path}?size=1000&page=2`)).body).toMatchObject({ page: 2, size: 5 })
    expect((await server.get(`${path}?size=1000&pageSize=5000`)).body.size).toBe(1000)
  })
})

describe.each(KIND_CASES)('a list of $kind', (kindCase) => {
  const { kind, flat } = kindCase

  test('has items that are what GET of the item returns', async () => {
    const { collection, item } = await create(server, kindCase, { labels: { a: 'b' } })
    const plain = await create(server, kindCase, {}, collection)
    await server.post(`${item}/statuses`, report('validator'))
    await server.post(`${item}/statuses`, report('validator'))
    await server.patch(item, { spec: { n: 1.5 } })
    const expected = [(await server.get(item)).body, (await server.get(plain.item)).body]
    for (const path of [collection, flat]) {
      const filter = encodeURIComponent(`id in ('${expected[0].id}', '${expected[1].id}')`)
      const { body } = await server.get(`${path}?orderBy=id&search=${filter}`)
      const resource_version = expect.any(String)
      expect(body).toEqual({
        kind: `${kind}List`,
        page: 1,
        size: 2,
        total: 2,
        items: expected,
        resource_version,
        next: null,
      })
    }
  })

  test.each(
    proofTurns(kindCase, [
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['page=1.5', 'page'],
      ['page=x', 'page'],
      ['page=', 'page'],
      ['page=1e400', 'page'],
      ['page=1e2', 'page'],
      ['pageSize=0x10', 'pageSize'],
      ['page=Infinity', 'page'],
      ['pageSize=0', 'pageSize'],
      ['pageSize=-5', 'pageSize'],
      ['pageSize=2.5', 'pageSize'],
      ['pageSize=all', 'pageSize'],
      ['pageSize=', 'pageSize'],
      ['size=0', 'size'],
      ['size=-1', 'size'],
      ['size=1001', 'size'],
      ['size=99999999999999999999', 'size'],
      ['size=2.5', 'size'],
      ['size=0x10', 'size'],
      ['size=1e2', 'size'],
      ['size=all', 'size'],
      ['size=', 'size'],
      ['size=1&size=1', 'size'],
      ['size=0&pageSize=5', 'size'],
      ['page=1&page=2', 'page'],
      ['page=1&page=1', 'page'],
      ['pageSize=1&pageSize=2', 'pageSize'],
      ['orderBy=name&orderBy=id', 'orderBy'],
      ['order=asc&order=asc', 'order'],
      ["search=name='a'&search=name='b'", 'search'],
      ['search=&search=', 'search'],
      ['fields=id&fields=name', 'fields'],
      ['fields=nope', 'fields'],
      ['fields=name,,id', 'fields'],
      ['fields=name.first', 'fields'],
      ['fields=status.phase', 'fields'],
      ['fields=__proto__', 'fields'],
      ['fields=constructor', 'fields'],
    ]),
  )('rejects %s with 400 VAL-000', async (query, field) => {
    const response = await server.get(`${flat}?${query}`)
    expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    expect(new Set(response.body.errors.map((error: { field: string }) => error.field))).toEqual(
      new Set([field]),
    )
    expect(response.body.detail).toContain(field)
  })

  test('lists all wrong parameters together', async () => {
    const { body } = await server.get(`${flat}?page=0&pageSize=x&size=1001`)
    const fields = body.errors.map((error: { field: string }) => error.field)
    expect(fields.toSorted()).toEqual(['page', 'pageSize', 'size'])
  })

  test('accepts size for pageSize', async () => {
    const { collection, body } = await create(server, kindCase)
    await create(server, kindCase, {}, collection)
    for (const query of ['size=1', 'size=1&pageSize=1']) {
      const { body: page } = await server.get(`${collection}?${query}&page=2&order=id desc`)
      expect(page).toMatchObject({ kind: `${kind}List`, page: 2, size: 1, items: [{}] })
    }
    const one = await server.get(`${collection}?size=1&order=id&search=id='${body.id}'`)
    const resource_version = expect.any(String)
    expect(one.body).toEqual({
      kind: `${kind}List`,
      page: 1,
      size: 1,
      total: 1,
      items: [body],
      resource_version,
      next: null,
    })
  })

  test.each(['size=5&pageSize=6', 'pageSize=2&size=1', 'pageSize=1001&size=999'])(
    'rejects %s with 400 VAL-000 and names both parameters',
    async (query) => {
      const response = await server.get(`${flat}?${query}`)
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(response.body.errors).toMatchObject([{ field: 'pageSize' }, { field: 'size' }])
      for (const parameter of query.split('&')) expect(response.body.detail).toContain(parameter)
    },
  )

  test.each(
    proofTurns(kindCase, [
      ['orderBy=size', "unknown field 'size'"],
      ['orderBy=Name', "unknown field 'Name'"],
      ['orderBy=name,spec', "unknown field 'spec'"],
      ['orderBy=name,', "unknown field ''"],
      ['orderBy=,', "unknown field ''"],
      ['orderBy=labels', "unknown field 'labels'"],
      ['orderBy=labels.', "unknown field 'labels.'"],
      ['orderBy=labels.a%00', 'unknown field'],
      ['orderBy=status.conditions.Ready', "unknown field 'status.conditions.Ready'"],
      ['orderBy=name up', "after 'name'"],
      ['orderBy=name asc desc', "after 'name'"],
      ['orderBy=name;drop table resources', "unknown field 'name;drop'"],
      ["orderBy=labels.a' desc", 'unknown field'],
      ['orderBy=-name', "unknown field '-name'"],
      ['orderBy=owner_id', "unknown field 'owner_id'"],
    ]),
  )('rejects %s with 400 VAL-005 and names the valid fields', async (query, detail) => {
    for (const parameter of ['orderBy', 'order']) {
      const response = await server.get(`${flat}?${query.replace('orderBy', parameter)}`)
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-005' } })
      expect(response.body.errors).toMatchObject([{ field: parameter }])
      expect(response.body.detail).toContain(`${parameter}: `)
      expect(response.body.detail).toContain(detail)
      expect(response.body.detail).toContain('created_time')
    }
  })

  test.each(['order=up', 'order=ASC', 'order=asc,desc', 'order=asc desc', 'order=descending'])(
    'takes the list of %s for one of fields: 400 VAL-005',
    async (query) => {
      const response = await server.get(`${flat}?${query}`)
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-005', errors: [{ field: 'order' }] },
      })
      expect(response.body.detail).toContain('each with asc or desc')
    },
  )

  test.each(['order=name desc&orderBy=name', 'order=nope&orderBy=id', 'orderBy=nope&order=id'])(
    'rejects terms in both order and orderBy with 400 VAL-005: %s',
    async (query) => {
      const response = await server.get(`${flat}?${query}`)
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-005', errors: [{ field: 'order' }] },
      })
      expect(response.body.detail).toContain('give one of them')
    },
  )

  test('accepts 32 fields of order, and returns 400 VAL-005 for more', async () => {
    const orderBy = (count: number) =>
      Array.from({ length: count }, (_, n) => `labels.k${n}`).join()
    for (const field of ['orderBy', 'order']) {
      expect((await server.get(`${flat}?${field}=${orderBy(32)}`)).status).toBe(200)
      for (const count of [33, 5000]) {
        expect(await server.get(`${flat}?${field}=${orderBy(count)}`)).toMatchObject({
          status: 400,
          body: { code: 'HYPERFLEET-VAL-005', errors: [{ field }] },
        })
      }
    }
  })

  test('rejects unknown parameters, repeated ones too', async () => {
    for (const query of [
      'Size=x',
      'limit=x&limit=y',
      'Page=0',
      '__proto__=1',
      '%ff=%',
      '&&=',
      'x=a:b/c',
    ]) {
      expect(await server.get(`${flat}?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-000' },
      })
    }
  })

  test('supports HEAD', async () => {
    expect(await server.request('HEAD', flat)).toMatchObject({ status: 200, text: '' })
    expect(await server.request('HEAD', `${flat}?page=0`)).toMatchObject({ status: 400, text: '' })
  })

  describe('with fields', () => {
    const spec = { size: 1, nested: { a: [1], b: { c: null } } }
    const labels = { env: 'dev', 'app.kubernetes.io/name': 'x' }
    const annotations = { 'example.com/note': 'y', b: '' }

    test.each(
      proofTurns<[string, (body: Record<string, unknown>) => object]>(kindCase, [
        ['name', ({ id, name }) => ({ id, name })],
        ['id', ({ id }) => ({ id })],
        [' name , kind ', ({ id, name, kind }) => ({ kind, id, name })],
        ['name,name', ({ id, name }) => ({ id, name })],
        ['spec', ({ id }) => ({ id, spec })],
        ['spec.nested.b', ({ id }) => ({ id, spec: { nested: { b: { c: null } } } })],
        [
          'spec.nested.b.c,spec.size',
          ({ id }) => ({ id, spec: { size: 1, nested: { b: { c: null } } } }),
        ],
        ['spec.nested,spec.nested.a', ({ id }) => ({ id, spec: { nested: spec.nested } })],
        ['spec.nowhere', ({ id }) => ({ id, spec: {} })],
        ['labels.env', ({ id }) => ({ id, labels: { env: 'dev' } })],
        [
          'labels.app.kubernetes.io/name',
          ({ id }) => ({ id, labels: { 'app.kubernetes.io/name': 'x' } }),
        ],
        ['labels', ({ id }) => ({ id, labels })],
        ['annotations', ({ id }) => ({ id, annotations })],
        [
          'annotations.example.com/note,labels.env',
          ({ id }) => ({
            id,
            labels: { env: 'dev' },
            annotations: { 'example.com/note': 'y' },
          }),
        ],
        ['status', ({ id, status }) => ({ id, status })],
        ['status.conditions,generation', ({ id, status }) => ({ id, generation: 1, status })],
      ]),
    )('%s has these and id', async (fields, expected) => {
      const { body, collection } = await create(server, kindCase, { spec, labels, annotations })
      const query = `search=id='${body.id}'&fields=${encodeURIComponent(fields)}`
      for (const path of [flat, collection]) {
        const list = (await server.get(`${path}?${query}`)).body
        expect(list.items).toEqual([expected(body)])
      }
    })

    test('annotations is absent if a resource has none', async () => {
      const { body } = await create(server, kindCase)
      const path = `${flat}?search=id='${body.id}'&fields=annotations`
      expect((await server.get(path)).body.items).toEqual([{ id: body.id }])
    })

    test('returns all fields if it is blank', async () => {
      const { body } = await create(server, kindCase)
      expect((await server.get(`${flat}?search=id='${body.id}'&fields=`)).body.items).toEqual([
        body,
      ])
    })
  })
})

describe('a list of node pools', () => {
  test('of one cluster has those of this cluster only', async () => {
    const first = await create(server, nodePool)
    const second = await create(server, nodePool)
    const sibling = await create(server, nodePool, {}, first.collection)
    const list = (await server.get(first.collection)).body
    expect(list).toMatchObject({ kind: 'NodePoolList', size: 2, total: 2 })
    expect(ids(list.items)).toEqual([sibling.body.id, first.body.id])
    expect(ids((await server.get(second.collection)).body.items)).toEqual([second.body.id])
    const flat = (await server.get('/nodepools')).body
    expect(ids(flat.items)).toEqual(
      expect.arrayContaining([first, second, sibling].map(({ body }) => body.id)),
    )
  })

  test('shows owner_references by fields', async () => {
    const { body, collection } = await create(server, nodePool)
    const list = async (fields: string) =>
      (await server.get(`${collection}?fields=${fields}`)).body.items[0]
    const { id, owner_references: owner } = body
    expect(await list('owner_references')).toEqual({ id, owner_references: owner })
    expect(await list('owner_references.id')).toEqual({ id, owner_references: { id: owner.id } })
    expect((await server.get('/clusters?fields=owner_references')).status).toBe(400)
    expect((await server.get(`${collection}?fields=owner_references.uid`)).status).toBe(400)
  })

  test('of a cluster without any is empty', async () => {
    const { body } = await server.post('/clusters', creation('Cluster'))
    const path = `/clusters/${body.id}/nodepools`
    expect((await server.get(path)).body).toMatchObject({
      kind: 'NodePoolList',
      page: 1,
      size: 0,
      total: 0,
      items: [],
    })
    expect((await server.get(`${path}?search=name='x'&page=5`)).status).toBe(200)
  })

  test('of an unknown cluster returns 404 NTF-001, after errors of parameters', async () => {
    const path = '/clusters/nowhere/nodepools'
    for (const query of ['', '?page=5', "?search=name='x'", '?search=name in ()', '?fields=name']) {
      expect(await server.get(path + query)).toMatchObject({
        status: 404,
        body: { code: 'HYPERFLEET-NTF-001', detail: "Cluster with id='nowhere' not found" },
      })
    }
    for (const query of ['?page=0', '?orderBy=x', '?search=x', '?fields=x']) {
      expect((await server.get(path + query)).status).toBe(400)
    }
  })

  test('with the ID of a node pool as the cluster returns 404', async () => {
    const { body } = await create(server, nodePool)
    expect((await server.get(`/clusters/${body.id}/nodepools`)).status).toBe(404)
  })
})

describe.each(KIND_CASES)('the statuses of a $kind', (kindCase) => {
  const adapters = ['b', 'a', 'C', '\u00e9', '\u{1f600}', '\ufffd', 'a-b']
  let statuses: string

  beforeAll(async () => {
    const { item } = await create(server, kindCase)
    statuses = `${item}/statuses`
    for (const [index, adapter] of adapters.entries()) {
      const body = report(adapter, {
        observed_generation: index % 3,
        observed_time: `2026-01-0${(index % 4) + 1}T00:00:00Z`,
        data: { index, nested: { a: 1 } },
        metadata: { job_name: `job-${index}`, attempt: index },
      })
      await server.post(statuses, body)
    }
  })

  const names = async (query: string) => {
    const { status, body } = await server.get(`${statuses}?${query}`)
    expect(status).toBe(200)
    return body.items.map(({ adapter }: { adapter: string }) => adapter)
  }
  const sorted = adapters.toSorted(compareText)
  const generationOf = (adapter: string) => adapters.indexOf(adapter) % 3
  const timeOf = (adapter: string) => adapters.indexOf(adapter) % 4
  const byValue = (value: (adapter: string) => number) => (a: string, b: string) =>
    value(a) - value(b) || compareText(a, b)

  test.each(
    proofTurns<[string, readonly string[]]>(kindCase, [
      ['', sorted],
      ['order=desc', sorted.toReversed()],
      ['orderBy=adapter', sorted],
      ['orderBy=adapter desc', sorted.toReversed()],
      ['orderBy=observed_generation', sorted.toSorted(byValue(generationOf))],
      [
        'orderBy=observed_generation&order=desc',
        sorted.toSorted(byValue(generationOf)).toReversed(),
      ],
      ['orderBy=created_time', sorted.toSorted(byValue(timeOf))],
      ['orderBy=last_report_time desc', sorted.toSorted(byValue(timeOf)).toReversed()],
      ['order=observed_generation desc', sorted.toSorted(byValue(generationOf)).toReversed()],
      ['order=adapter', sorted],
      ['order=created_time,adapter', sorted.toSorted(byValue(timeOf))],
      [
        'orderBy=created_time,observed_generation desc',
        sorted.toSorted((a, b) => timeOf(a) - timeOf(b) || byValue(generationOf)(b, a)),
      ],
    ]),
  )('come in the order of "%s"', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
    const paged: string[] = []
    for (let page = 1; page <= 4; page += 1)
      paged.push(...(await names(`${query}&pageSize=2&page=${page}`)))
    expect(paged).toEqual(expected)
    expect(await names(`${query}&size=2&page=2`)).toEqual(expected.slice(2, 4))
  })

  test('come in pages', async () => {
    const { body } = await server.get(`${statuses}?pageSize=3&page=3`)
    expect(body).toMatchObject({ kind: 'AdapterStatusList', page: 3, size: 1, total: 7 })
    expect((await server.get(`${statuses}?page=99`)).body).toMatchObject({
      page: 99,
      size: 0,
      total: 7,
      items: [],
    })
    expect((await server.get(`${statuses}?pageSize=5000`)).body).toMatchObject({ size: 7 })
  })

  test.each(
    proofTurns<[string, readonly string[]]>(kindCase, [
      ["adapter = 'a'", ['a']],
      ["adapter in ('a', 'b', 'x')", ['a', 'b']],
      ["adapter like 'a%'", ['a', 'a-b']],
      ["not adapter ilike 'c'", sorted.filter((name) => name !== 'C')],
      ['observed_generation > 1', sorted.filter((name) => generationOf(name) > 1)],
      [
        "observed_generation = 0 and adapter != 'b'",
        sorted.filter((name) => generationOf(name) === 0 && name !== 'b'),
      ],
      ['', sorted],
    ]),
  )('are found by the search %s', async (search, expected) => {
    const { body } = await server.get(`${statuses}?search=${encodeURIComponent(search)}`)
    expect(body.items.map(({ adapter }: { adapter: string }) => adapter)).toEqual(expected)
    expect(body.total).toBe(expected.length)
  })

  test.each(
    proofTurns<[string, object]>(kindCase, [
      ['observed_generation', { adapter: 'b', observed_generation: 0 }],
      ['adapter', { adapter: 'b' }],
      [
        'data.nested,metadata.job_name',
        { adapter: 'b', data: { nested: { a: 1 } }, metadata: { job_name: 'job-0' } },
      ],
    ]),
  )('have with fields=%s these and adapter', async (fields, expected) => {
    const { body } = await server.get(`${statuses}?search=adapter='b'&fields=${fields}`)
    expect(body.items).toEqual([expected])
  })

  test.each(
    proofTurns(kindCase, [
      ['page=0', 'VAL-000', 'page'],
      ['page=Infinity', 'VAL-000', 'page'],
      ['pageSize=x', 'VAL-000', 'pageSize'],
      ['page=1&page=2', 'VAL-000', 'page'],
      ['size=1001', 'VAL-000', 'size'],
      ['size=1&pageSize=2', 'VAL-000', 'pageSize'],
      ['order=up', 'VAL-005', 'order'],
      ['order=name desc', 'VAL-005', 'order'],
      ['order=adapter&orderBy=adapter', 'VAL-005', 'order'],
      ['fields=id', 'VAL-000', 'fields'],
      ['orderBy=name', 'VAL-005', 'orderBy'],
      ['orderBy=id', 'VAL-005', 'orderBy'],
      ["search=name='x'", 'VAL-005', 'search'],
      ["search=labels.a='x'", 'VAL-005', 'search'],
      ["search=status.conditions.Ready='True'", 'VAL-005', 'search'],
      ['search=adapter', 'VAL-005', 'search'],
    ]),
  )('rejects %s with 400', async (query, code, field) => {
    const response = await server.get(`${statuses}?${query}`)
    expect(response).toMatchObject({
      status: 400,
      body: { code: `HYPERFLEET-${code}` },
    })
    expect(response.body.errors[0].field).toBe(field)
  })

  test('reject unknown parameters', async () => {
    const { status, body } = await server.get(`${statuses}?Size=1&limit=2`)
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['Size', 'limit'])
  })
})

test('HYPERFLEET_DEFAULT_PAGE_SIZE is the size of a page if the request has no pageSize', async () => {
  await using server = await startTestServer({ env: { HYPERFLEET_DEFAULT_PAGE_SIZE: '2' } })
  const { item } = await create(server, cluster)
  for (let count = 0; count < 2; count += 1) await server.post('/clusters', creation('Cluster'))
  for (const adapter of ['a', 'b', 'c']) await server.post(`${item}/statuses`, report(adapter))
  for (const path of ['/clusters', `${item}/statuses`]) {
    expect((await server.get(path)).body).toMatchObject({ size: 2, total: 3 })
    expect((await server.get(`${path}?pageSize=3`)).body).toMatchObject({ size: 3 })
  }
})
