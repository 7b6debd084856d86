import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSlices } from '../support/count-slices.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const COUNT = 50

let server: TestServer
let cluster: string
beforeAll(async () => {
  server = await startTestServer()
  const { body } = await server.post('/clusters', creation('Cluster', { spec: { size: 0 } }))
  cluster = `/clusters/${body.id}`
  for (let size = 1; size < COUNT; size += 1) await server.patch(cluster, { spec: { size } })
})
afterAll(() => server[Symbol.asyncDispose]())

test('other events are handled between the entries of a history', async () => {
  // Servers collect every second.
  const entries = async (): Promise<number> =>
    (await server.get(`${cluster}/history`)).body.items.length
  await expect.poll(entries).toBe(COUNT)
  // The values of each entry that changed, and its text.
  expect(await countSlices(entries)).toBeGreaterThanOrEqual(2 * COUNT)
})

test('other events are handled between the changes of a resource', async () => {
  const changes = async (): Promise<number> =>
    (await server.get(`${cluster}/changes`)).body.items.length
  await expect.poll(changes).toBe(COUNT)
  expect(await countSlices(changes)).toBeGreaterThanOrEqual(COUNT)
})
