import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FLEET_CLIENTS } from '../../planes/controllers/fleet-clients.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const LABEL = 'kplane.dev/fleet'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

let clusters = 0

async function createCluster(labels: Record<string, string>): Promise<string> {
  clusters += 1
  const body = { kind: 'Cluster', name: `followed-${clusters}`, spec: {}, labels }
  const { status, body: created } = await server.post('/clusters', body)
  expect(status).toBe(201)
  return created.id
}

describe.each(FLEET_CLIENTS)('a client $name', ({ open }) => {
  test('follows the clusters that have a label or have lost it, and no others', async () => {
    const existing = await createCluster({ [LABEL]: 'existing' })
    const seen = new Set<string>()
    const client = open(server, [])
    await using following = await client.followClusters(LABEL, {
      onChanges: (labels) => labels.forEach(({ plane, value }) => seen.add(`${plane}/${value}`)),
      onLost: () => seen.add('lost'),
    })
    const see = async (...expected: readonly string[]): Promise<void> => {
      await expect.poll(() => [...seen]).toEqual(expect.arrayContaining([...expected]))
      seen.clear()
    }
    await createCluster({ other: 'no-member' })
    const id = await createCluster({ [LABEL]: 'first' })
    await see('root/first')
    await server.patch(`/clusters/${id}`, { labels: { [LABEL]: 'second' } })
    await see('root/first', 'root/second')
    await server.patch(`/clusters/${existing}`, { labels: {} })
    await see('root/existing')
    await server.request('DELETE', `/clusters/${id}`)
    await see('root/second')
    await server.patch(`/clusters/${existing}`, { labels: { other: 'no-member' } })
    await createCluster({ [LABEL]: 'last' })
    await expect.poll(() => [...seen]).toEqual(['root/last'])
    void following
  })
})
