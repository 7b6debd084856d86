import { expect, test } from 'vitest'
import { Client, Forbidden } from '../../../clients/typescript/src/index.ts'

test('an estimated total never ends a list', async () => {
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
