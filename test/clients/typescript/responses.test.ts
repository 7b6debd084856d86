import { expect, test } from 'vitest'
import { Client, Forbidden } from '../../../clients/typescript/src/index.ts'

test('a list reads pages to the last one if the total is an estimate', async () => {
  const sizes = [2, 2, 1]
  const fetch = () => {
    const items = Array.from({ length: sizes.shift() ?? 0 }, (_, index) => ({ id: String(index) }))
    const page = { items, size: items.length, total: 1, resource_version: '1' }
    return Promise.resolve(Response.json({ ...page, total_is_estimate: true }))
  }
  const client = new Client('http://127.0.0.1:1', { fetch })
  const list = client.clusters.list({ orderBy: 'name', pageSize: 2 })
  expect((await list.toArray()).length).toBe(5)
})

interface Cursor {
  readonly after: string | null
  readonly page: string | null
  readonly search: string | null
}

/** Lists of three pages with one item each. `takesCursors`: whether the server accepts them. */
async function queriesOf(orderBy: string | undefined, takesCursors: boolean): Promise<Cursor[]> {
  const queries: Cursor[] = []
  const fetch = (url: string | URL | Request) => {
    const { searchParams } = new URL(String(url))
    const [after, page] = [searchParams.get('after'), searchParams.get('page')]
    queries.push({ after, page, search: searchParams.get('search') })
    if (after !== null && !takesCursors) return Promise.resolve(Response.json({}, { status: 400 }))
    const number = queries.filter((query) => takesCursors || query.after === null).length
    const next = number === 3 ? null : `cursor-${number}`
    const items = [{ id: `id-${number}` }]
    return Promise.resolve(Response.json({ items, size: 1, total: 3, resource_version: '1', next }))
  }
  const client = new Client('http://127.0.0.1:1', { fetch })
  const items = await client.clusters.list({ orderBy, pageSize: 1 }).toArray()
  expect(items.map(({ id }) => id)).toEqual(['id-1', 'id-2', 'id-3'])
  return queries
}

test.each([undefined, 'name'])('a list in the order of %s follows cursors', async (orderBy) => {
  const queries = await queriesOf(orderBy, true)
  expect(queries.map(({ after }) => after)).toEqual([null, 'cursor-1', 'cursor-2'])
})

test('a list continues without cursors if an older server rejects them', async () => {
  const byId = await queriesOf(undefined, false)
  expect(byId.map(({ search }) => search)).toEqual([
    null,
    null,
    "id > 'id-1'",
    "id > 'id-1'",
    "id > 'id-2'",
  ])
  const byNumber = await queriesOf('name', false)
  expect(byNumber.map(({ page }) => page)).toEqual([null, null, '2', null, '3'])
})

test.each([
  [200, true],
  [404, false],
])('a plane whose readyz responds %d is ready: %s', async (status, isReady) => {
  const fetch = () => Promise.resolve(new Response('{}', { status }))
  const client = new Client('http://127.0.0.1:1', { fetch })
  expect(await client.plane('lisbon').isReady()).toBe(isReady)
})

test('isReady rejects if the caller lacks permission', async () => {
  const fetch = () => Promise.resolve(new Response('{}', { status: 403 }))
  const client = new Client('http://127.0.0.1:1', { fetch })
  await expect(client.plane('lisbon').isReady()).rejects.toThrow(Forbidden)
})

const STREAM = { method: 'GET', path: '/logs', retry: 'always' } as const

const INTERRUPTED = '{"a":1}\n\n{"b":2}\n{"incompl'

test('lines yields each complete JSON line of a response', async () => {
  const fetch = () => Promise.resolve(new Response(INTERRUPTED))
  const client = new Client('http://127.0.0.1:1', { fetch })
  expect(await collect(client.lines(STREAM))).toEqual([{ a: 1 }, { b: 2 }])
})

test('bytes yields all bytes of a response', async () => {
  const fetch = () => Promise.resolve(new Response(INTERRUPTED))
  const client = new Client('http://127.0.0.1:1', { fetch })
  const chunks = await collect(client.bytes(STREAM))
  expect(Buffer.concat(chunks).toString()).toBe(INTERRUPTED)
})

test('lines rejects if a line is not JSON', async () => {
  const fetch = () => Promise.resolve(new Response('{"a":\n'))
  const client = new Client('http://127.0.0.1:1', { fetch })
  await expect(collect(client.lines(STREAM))).rejects.toThrow('the stream /logs broke')
})

test('request returns the status, the headers and the body', async () => {
  const fetch = (url: string | URL | Request) =>
    Promise.resolve(Response.json({ url }, { status: 201, headers: { 'X-Write-Token': 't' } }))
  const client = new Client('http://127.0.0.1:1', { fetch })
  const request = { method: 'POST', path: '/any', query: { a: 1 }, retry: 'rejected' } as const
  const { status, headers, body } = await client.request(request)
  expect([status, headers.get('x-write-token')]).toEqual([201, 't'])
  expect(body).toEqual({ url: 'http://127.0.0.1:1/any?a=1' })
})

async function collect<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of stream) items.push(item)
  return items
}
