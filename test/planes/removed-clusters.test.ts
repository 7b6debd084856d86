import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import pino from 'pino'
import { removePlanes } from '../../src/exposed-kinds/remove-planes.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let client: pg.Client

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all' } })
  client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server[Symbol.asyncDispose]()
})

test('the plane of a removed cluster loses its objects, and its watches end', async () => {
  const [removed, kept] = await Promise.all(
    ['removed', 'kept'].map(async (name) => {
      const { body } = await server.post('/clusters', { kind: 'Cluster', name, spec: {} })
      const path = `${server.origin}/clusters/${body.id}/control-plane/api/v1/namespaces/default/configmaps`
      const created = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ metadata: { name: 'a', finalizers: ['example.com/never'] } }),
      })
      expect(created.status).toBe(201)
      return { id: String(body.id), path }
    }),
  )
  const watch = await fetch(`${removed?.path}?watch=true`)
  const forced = { reason: 'a test' }
  await server.request('DELETE', `/clusters/${removed?.id}`)
  const { status } = await server.post(`/clusters/${removed?.id}/force-delete`, forced)
  expect(status).toBe(204)
  expect(await watch.text()).toContain('"ADDED"')
  await expect
    .poll(async () => (await client.query('select plane from objects')).rows)
    .not.toContainEqual({ plane: removed?.id })
  const left = await client.query('select plane from objects where plane = $1', [kept?.id])
  expect(left.rows).toHaveLength(1)
  await expect.poll(async () => (await fetch(removed?.path ?? '')).status).toBe(404)
})

test('a removal that fails is tried again', async () => {
  await using api = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]' } })
  await using database = openTestDatabase(api.databaseUrl)
  const { store } = api.planes
  const failures: unknown[] = []
  await using removal = removePlanes({
    database,
    feed: api.feed,
    store: {
      removePlanes: async (planes) => {
        if (failures.length === 0) throw new Error('the connection broke')
        await store.removePlanes(planes)
      },
    },
    log: pino({ level: 'warn' }, { write: (line) => void failures.push(line) }),
  })
  const { body } = await api.post('/clusters', { kind: 'Cluster', name: 'broken', spec: {} })
  const path = `${api.origin}/clusters/${body.id}/control-plane/api/v1/namespaces/default/configmaps`
  const created = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' } }),
  })
  expect(created.status).toBe(201)
  await api.request('DELETE', `/clusters/${body.id}`)
  await expect
    .poll(async () => (await database.pool.query('select plane from objects')).rows)
    .toEqual([])
  expect(failures).toHaveLength(1)
  void removal
})
