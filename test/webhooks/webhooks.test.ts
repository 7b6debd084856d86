import { afterAll, beforeAll, expect, test } from 'vitest'
import { creation, report } from '../support/fixtures.ts'
import { statementCounts } from '../snapshots/snapshot-requests.ts'
import type { TestServer } from '../support/test-server.ts'
import { startReceiver } from './receiver.ts'
import { startWebhookServer, subscribe } from './webhook-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWebhookServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const made = async (fields: object = {}) => {
  const { status, body } = await server.post('/clusters', creation('Cluster', fields))
  expect(status).toBe(201)
  return body
}

test('deliveries are searched for only if there is a webhook', async () => {
  const count = async (name: string) => (await statementCounts(server)).get(name) ?? 0
  const rounds = await count('read_webhook_cursor')
  await expect.poll(() => count('read_webhook_cursor')).toBeGreaterThan(rounds + 2)
  expect(await count('claim_webhook_deliveries')).toBe(1)
  await using receiver = await startReceiver()
  const path = await subscribe(server, receiver)
  await expect.poll(() => count('claim_webhook_deliveries')).toBeGreaterThan(2)
  await server.request('DELETE', path)
})

test('sends signed events of each change in order, with the resource as GET returns it', async () => {
  await using receiver = await startReceiver()
  await subscribe(server, receiver, { kinds: ['Cluster'] })
  const { id, href } = await made()
  await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
  const { body: current } = await server.get(`/clusters/${id}`)
  await expect.poll(() => receiver.received.length).toBe(2)
  const [created, updated] = receiver.received
  expect(receiver.rejected).toBe(0)
  expect(created?.type).toBe('cluster.created')
  expect(created?.body.data).toMatchObject({ id, href, kind: 'Cluster', generation: 1 })
  expect(created?.body.resource_version).toMatch(/^[0-9a-f]{8}\.\d+$/)
  expect(updated?.type).toBe('cluster.updated')
  expect(updated?.body.data).toEqual(current)
  expect(updated?.headers['content-type']).toBe('application/json')
  expect(updated?.headers['user-agent']).toMatch(/^Flotilla\//)
  expect(new Set(receiver.received.map((event) => event.id)).size).toBe(2)
  await server.request('DELETE', `/clusters/${id}`)
  await expect.poll(() => receiver.received.length).toBeGreaterThan(2)
  expect(receiver.received[2]?.body.data.deleted_time).toBeTruthy()
})

test('a search selects resources, and distinguishes entering and leaving from creation', async () => {
  await using receiver = await startReceiver()
  await subscribe(server, receiver, { kinds: ['Cluster'], search: "labels.env = 'prod'" })
  await made({ labels: { env: 'dev' } })
  const { id } = await made({ labels: { env: 'prod' } })
  const patch = (env: string) => server.patch(`/clusters/${id}`, { labels: { env } })
  await patch('dev')
  await patch('test')
  await patch('prod')
  await server.patch(`/clusters/${id}`, { spec: { size: 3 } })
  await expect
    .poll(() => receiver.received.map(({ type }) => type))
    .toEqual(['cluster.created', 'cluster.left', 'cluster.entered', 'cluster.updated'])
  expect(receiver.received.map(({ body }) => body.data.id)).toEqual([id, id, id, id])
})

test('sends only the chosen events and kinds, also changes of conditions', async () => {
  await using receiver = await startReceiver()
  await subscribe(server, receiver, { kinds: ['Cluster'], events: ['updated'] })
  const { id } = await made()
  await server.post(`/clusters/${id}/nodepools`, creation('NodePool'))
  await server.post(`/clusters/${id}/statuses`, report('validation'))
  await expect.poll(() => receiver.received.length).toBe(1)
  const [event] = receiver.received
  expect(event?.type).toBe('cluster.updated')
  const types = event?.body.data.status.conditions.map(({ type }: { type: string }) => type)
  expect(types).toContain('ValidationSuccessful')
})

test('repeats a failed event with the same ID before the next event of its resource', async () => {
  await using receiver = await startReceiver()
  const path = await subscribe(server, receiver, { kinds: ['Cluster'] })
  let failures = 0
  receiver.respond = ({ type }) => (type === 'cluster.created' && (failures += 1) < 3 ? 500 : 200)
  const { id } = await made()
  await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
  await expect.poll(() => receiver.received.length).toBe(4)
  const types = receiver.received.map(({ type }) => type)
  expect(types).toEqual([
    'cluster.created',
    'cluster.created',
    'cluster.created',
    'cluster.updated',
  ])
  expect(new Set(receiver.received.slice(0, 3).map((event) => event.id)).size).toBe(1)
  const deliveries = async () => (await server.get(`${path}/deliveries`)).body.items
  await expect.poll(deliveries).toMatchObject([
    { type: 'cluster.updated', state: 'delivered', attempts: 1, status_code: 200, error: '' },
    { type: 'cluster.created', state: 'delivered', attempts: 3, status_code: 200 },
  ])
  const [newest] = await deliveries()
  const { body } = await server.get(`${path}/deliveries/${newest.id}`)
  expect(body.payload).toEqual(receiver.received[3]?.body)
})

test('a receiver that fails for one resource does not delay other resources', async () => {
  await using receiver = await startReceiver()
  await subscribe(server, receiver, { kinds: ['Cluster'] })
  const { id: broken } = await made()
  await expect.poll(() => receiver.received.length).toBe(1)
  receiver.respond = ({ body }) =>
    body.data.id === broken ? { status: 503, headers: { 'Retry-After': '3600' } } : 200
  await server.patch(`/clusters/${broken}`, { spec: { size: 2 } })
  await expect.poll(() => receiver.received.length).toBeGreaterThan(1)
  const { id: other } = await made()
  await expect.poll(() => receiver.received.map(({ body }) => body.data.id)).toContain(other)
})

test('an event whose last attempt fails becomes a dead letter, which can be sent again', async () => {
  await using receiver = await startReceiver()
  const path = await subscribe(server, receiver, { kinds: ['Cluster'] })
  receiver.respond = ({ type }) => (type === 'cluster.created' ? 500 : 200)
  const { id } = await made()
  await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
  await expect.poll(() => receiver.received.at(-1)?.type).toBe('cluster.updated')
  const dead = await server.get(`${path}/dead-letters`)
  expect(dead.body.items).toMatchObject([
    { type: 'cluster.created', state: 'dead', attempts: 3, status_code: 500, resource_id: id },
  ])
  const [letter] = dead.body.items
  expect(letter.error).toBe('status 500')
  receiver.respond = () => 200
  const single = await server.post(`${path}/dead-letters/${letter.id}/redeliver`, undefined)
  expect(single.status).toBe(202)
  await expect.poll(() => receiver.received.at(-1)?.id).toBe(letter.id)
  await expect.poll(async () => (await server.get(`${path}/dead-letters`)).body.items).toEqual([])
  const again = await server.post(`${path}/dead-letters/${letter.id}/redeliver`, undefined)
  expect(again.status).toBe(404)
})
