import { afterAll, beforeAll, expect, test } from 'vitest'
import { creation, queryDatabase } from '../support/fixtures.ts'
import type { TestServer } from '../support/test-server.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { startWebhookServer, subscribe } from './webhook-server.ts'

const RESOURCES = 40
const CONCURRENCY = 8

let server: TestServer
beforeAll(async () => {
  server = await startWebhookServer({}, { outgoingWebhookRetries: Array(7).fill(1) })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A webhook with events of many resources, which are sent from now on. Returns its path. */
async function startSending(receiver: Receiver): Promise<string> {
  const path = await subscribe(server, receiver, { kinds: ['Cluster'], state: 'paused' })
  for (let index = 0; index < RESOURCES; index += 1) {
    await server.post('/clusters', creation('Cluster'))
  }
  const pending = async () => (await server.get(path)).body.pending_deliveries
  await expect.poll(pending).toBe(RESOURCES)
  await server.patch(path, { state: 'active' })
  return path
}

const circuitOf = async (path: string) => (await server.get(path)).body.circuit

test('a receiver that fails receives one probe at a time, until one succeeds', async () => {
  await using receiver = await startReceiver()
  let inFlight = 0
  let mostProbes = 0
  // Events that were claimed before the circuit opened can arrive until its first probe.
  let firstProbe = Infinity
  let isProbed = false
  receiver.respond = async () => {
    const time = Date.now()
    inFlight += 1
    if (isProbed) mostProbes = Math.max(mostProbes, inFlight)
    await new Promise((resolve) => setTimeout(resolve, 100))
    inFlight -= 1
    if (time >= firstProbe) isProbed = true
    return 500
  }
  const path = await startSending(receiver)
  await expect.poll(() => circuitOf(path)).toBe('open')
  const { body } = await server.get(path)
  firstProbe = Date.parse(body.next_probe_time)
  expect(firstProbe).toBeGreaterThan(Date.parse(body.updated_time))
  await expect.poll(() => isProbed).toBe(true)
  const seen = receiver.received.length
  // The pauses between probes grow.
  await expect.poll(() => receiver.received.length, { timeout: 150_000 }).toBeGreaterThan(seen + 2)
  expect(mostProbes).toBe(1)
  const deliveries = (await server.get(`${path}/deliveries?limit=200`)).body.items
  const waiting = deliveries.filter(({ attempts }: { attempts: number }) => attempts === 0)
  expect(waiting.length).toBeGreaterThan(RESOURCES / 2)
  receiver.respond = () => 200
  await expect.poll(async () => (await server.get(path)).body.pending_deliveries).toBe(0)
  expect(await circuitOf(path)).toBe('closed')
  expect((await server.get(path)).body).not.toHaveProperty('next_probe_time')
  expect((await server.get(`${path}/dead-letters`)).body.items).toEqual([])
  await server.request('DELETE', path)
})

test('Retry-After delays probes, and a test event sends one now', async () => {
  await using receiver = await startReceiver()
  receiver.respond = () => ({ status: 429, headers: { 'Retry-After': '3600' } })
  const path = await startSending(receiver)
  await expect.poll(() => circuitOf(path)).toBe('open')
  const nextProbe = async () => Date.parse((await server.get(path)).body.next_probe_time)
  expect((await nextProbe()) - Date.now()).toBeGreaterThan(3_500_000)
  const rejected = receiver.received.length
  receiver.respond = () => 200
  await server.post(`${path}/test`, undefined)
  await expect.poll(() => circuitOf(path)).toBe('closed')
  // The events that the receiver has rejected wait for an hour.
  const types = () => receiver.received.slice(rejected).map(({ type }) => type)
  await expect.poll(types).toHaveLength(RESOURCES - rejected + 1)
  expect(types()).toContain('webhook.test')
  await server.request('DELETE', path)
})

test('a success ends the failures in a row, also of events that were sent at the same time', async () => {
  await using receiver = await startReceiver()
  const waiting: ((status: number) => void)[] = []
  receiver.respond = () => new Promise((resolve) => waiting.push(resolve))
  const path = await startSending(receiver)
  await expect.poll(() => waiting).toHaveLength(CONCURRENCY)
  const failures = async () => {
    const id = path.slice(path.lastIndexOf('/') + 1)
    const [row] = await queryDatabase(server, 'select failures from webhooks where id = $1', [id])
    return row?.['failures']
  }
  const expected = [1, 2, 0, 1, 2, 0, 1, 2]
  for (const [index, count] of expected.entries()) {
    waiting[index]?.(count === 0 ? 200 : 500)
    await expect.poll(failures).toBe(count)
  }
  expect(await circuitOf(path)).toBe('closed')
  receiver.respond = () => 200
  for (const respond of waiting) respond(200)
  await server.request('DELETE', path)
})

test('a change of the webhook closes its circuit', async () => {
  await using receiver = await startReceiver()
  receiver.respond = () => ({ status: 503, headers: { 'Retry-After': '3600' } })
  const path = await startSending(receiver)
  await expect.poll(() => circuitOf(path)).toBe('open')
  await using repaired = await startReceiver()
  const { body } = await server.patch(path, { url: repaired.url })
  expect(body.circuit).toBe('closed')
  await expect
    .poll(() => repaired.received.length)
    .toBeGreaterThanOrEqual(RESOURCES - CONCURRENCY * 2)
  await server.request('DELETE', path)
})
