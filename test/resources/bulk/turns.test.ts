import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSlices } from '../../support/count-slices.ts'
import { creation } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const COUNT = 60

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('other events are handled between the items of a bulk creation', async () => {
  const items = Array.from({ length: COUNT }, () => creation('Cluster'))
  const slices = await countSlices(async () => {
    const { status } = await server.post('/clusters/bulk', { items })
    expect(status).toBe(200)
  })
  // The rules, the row and the response of each item.
  expect(slices).toBeGreaterThanOrEqual(3 * COUNT)
})
