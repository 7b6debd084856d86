import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaneDirectory } from '../../src/exposed-kinds/plane-directory.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let database: Database
beforeAll(async () => {
  server = await startTestServer()
  database = openTestDatabase(server.databaseUrl)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('planes are found by the ID and by the name of their cluster, alone and together', async () => {
  const ids = await Promise.all(
    ['one', 'two'].map(async (suffix) => {
      const body = { kind: 'Cluster', name: `cluster-${suffix}`, spec: {} }
      return String((await server.post('/clusters', body)).body.id)
    }),
  )
  const [one = '', two = ''] = ids
  const references = [one, 'cluster-one', 'cluster-two', 'none', '\0', two, 'root']
  const expected = [one, one, two, undefined, undefined, two, 'root']
  const together = createPlaneDirectory(database)
  const found = await Promise.all(references.map((reference) => together.find(reference)))
  expect(found.map((plane) => plane?.plane)).toEqual(expected)
  const alone = createPlaneDirectory(database)
  for (const [index, reference] of references.entries()) {
    expect((await alone.find(reference))?.plane).toBe(expected[index])
  }
})

async function create(name: string): Promise<string> {
  return (await server.post('/clusters', { kind: 'Cluster', name, spec: {} })).body.id
}

async function remove(id: string): Promise<void> {
  expect((await server.request('DELETE', `/clusters/${id}`)).status).toBe(202)
  const forced = await server.post(`/clusters/${id}/force-delete`, { reason: 'test' })
  expect(forced.status).toBe(204)
}

test('a name is that of the newest cluster, also on a server that knew an earlier one', async () => {
  const first = await create('again')
  // Nothing cached expires.
  const directory = createPlaneDirectory(database, () => 1)
  const find = async (): Promise<string | undefined> => (await directory.find('again'))?.plane
  expect(await find()).toBe(first)
  await remove(first)
  expect(await find()).toBeUndefined()
  const second = await create('again')
  expect(await find()).toBe(second)
})

test('a look-up by name caches the plane under its ID, not under the name', async () => {
  let time = 1
  const directory = createPlaneDirectory(database, () => time)
  const id = await create('renowned')
  const planeOf = async (reference: string) => (await directory.find(reference))?.plane
  expect(await planeOf('renowned')).toBe(id)
  await remove(id)
  expect([await planeOf('renowned'), await planeOf(id)]).toEqual([undefined, id])
  time += 1000
  expect(await planeOf(id)).toBeUndefined()
})
