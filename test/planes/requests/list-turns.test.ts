import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSlices } from '../../support/count-slices.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const COUNT = 40
const PATH = '/api/v1/namespaces/default/configmaps'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (let number = 0; number < COUNT; number += 1) {
    const metadata = { generateName: 'listed-' }
    await server.post(PATH, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
  }
})
afterAll(() => server[Symbol.asyncDispose]())

test.each([
  ['Table', 'rows'],
  ['PartialObjectMetadataList', 'items'],
])('other events are handled between the objects of a list as %s', async (shape, member) => {
  const slices = await countSlices(async () => {
    const Accept = `application/json;as=${shape};g=meta.k8s.io;v=v1`
    const { body } = await server.request('GET', PATH, undefined, { Accept })
    expect(body[member].length).toBeGreaterThanOrEqual(COUNT)
  })
  // The parsing of each object, its defaults and its text.
  expect(slices).toBeGreaterThanOrEqual(3 * COUNT)
})
