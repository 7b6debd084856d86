import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareText } from '../../src/lib/text/compare-text.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { creation } from '../support/fixtures.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

interface Item {
  readonly id: string
  readonly kind: string
  readonly href: string
  readonly deleted_time?: string
  readonly deleted_by?: string
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, ...referringKinds] })
  for (let round = 0; round < 3; round += 1) {
    const cluster = (await server.post('/clusters', creation('Cluster'))).body
    const pools = `/clusters/${cluster.id}/nodepools`
    for (let count = 0; count < 2; count += 1) await server.post(pools, creation('NodePool'))
    await server.post('/wifconfigs', creation('WifConfig'))
    await server.post('/networks', creation('Network'))
    if (round > 0) await server.request('DELETE', `/clusters/${cluster.id}`)
  }
})
afterAll(() => server[Symbol.asyncDispose]())

/** Reads all items of a list in pages of two. */
async function itemsOf(path: string, orderBy: string): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page += 1) {
    const query = `orderBy=${encodeURIComponent(orderBy)}&pageSize=2&page=${page}`
    const { status, body, text } = await server.get(`${path}?${query}`)
    expect(status, text).toBe(200)
    items.push(...body.items)
    if (items.length >= body.total) return items
  }
}

/** Reads all items of a list by its cursors, in pages of two. */
async function itemsByCursor(path: string, orderBy: string): Promise<readonly Item[]> {
  const items: Item[] = []
  let after = ''
  do {
    const query = `orderBy=${encodeURIComponent(orderBy)}&pageSize=2${after}`
    const { status, body, text } = await server.get(`${path}?${query}`)
    expect(status, text).toBe(200)
    items.push(...body.items)
    after = body.next === null ? '' : `&after=${body.next}`
  } while (after !== '')
  return items
}

/** Absent values are last in ascending order, as in the database. */
const text = (value: string | undefined): string => value ?? '\u{10ffff}'

/** The expected order of the items: by the field, then by id. */
function ordered(items: readonly Item[], field: keyof Item, sign: 1 | -1): readonly Item[] {
  return items.toSorted(
    (a, b) => sign * (compareText(text(a[field]), text(b[field])) || compareText(a.id, b.id)),
  )
}

describe.each(['/clusters', '/nodepools', '/resources'])('orderBy on %s', (path) => {
  test.each(['kind', 'href', 'deleted_time', 'deleted_by'] as const)(
    'accepts %s in both directions',
    async (field) => {
      const all = await itemsOf(path, 'id')
      expect(new Set(all.map((item) => text(item[field]))).size).toBeGreaterThan(
        field === 'kind' && path !== '/resources' ? 0 : 1,
      )
      expect(await itemsOf(path, `${field} asc`)).toEqual(ordered(all, field, 1))
      expect(await itemsOf(path, `${field} desc`)).toEqual(ordered(all, field, -1))
      for (const order of [`${field} asc`, `${field} desc`, `${field} desc,name`]) {
        expect(await itemsByCursor(path, order)).toEqual(await itemsOf(path, order))
      }
    },
  )

  test('combines them with other fields and with order', async () => {
    const all = await itemsOf(path, 'id')
    const { body } = await server.get(`${path}?order=kind asc,href desc&pageSize=100`)
    const byHref = ordered(all, 'href', -1)
    const expected = byHref.toSorted((a, b) => compareText(a.kind, b.kind))
    expect(body.items).toEqual(expected)
  })

  test('lists all fields when it rejects one', async () => {
    const { status, body } = await server.get(`${path}?orderBy=size`)
    expect(status).toBe(400)
    for (const field of ['kind', 'href', 'deleted_time', 'deleted_by']) {
      expect(body.detail).toContain(field)
    }
  })
})
