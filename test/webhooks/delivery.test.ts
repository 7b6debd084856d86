import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { listen } from '../../src/lib/listen.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startReceiver, withoutRepetitions } from './receiver.ts'
import { startWebhookServer, subscribe, untilQueued, WEBHOOK_ENV } from './webhook-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWebhookServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const made = async () => {
  const { status, body } = await server.post('/clusters', creation('Cluster'))
  expect(status).toBe(201)
  return body
}

/** The first delivery of a webhook, once it has an attempt. */
const attempted = async (path: string, from: TestServer = server) => {
  const read = async () => (await from.get(`${path}/deliveries`)).body.items.at(-1)
  await expect.poll(async () => (await read())?.attempts ?? 0).toBeGreaterThan(0)
  return read()
}

test('a paused webhook collects events, which are sent when it is active again', async () => {
  await using receiver = await startReceiver()
  const path = await subscribe(server, receiver, { state: 'paused' })
  const { id } = await made()
  await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
  await expect.poll(async () => (await server.get(path)).body.pending_deliveries).toBe(2)
  expect(receiver.received).toEqual([])
  await server.patch(path, { state: 'active' })
  await expect
    .poll(() => withoutRepetitions(receiver.received).map(({ type }) => type))
    .toEqual(['cluster.created', 'cluster.updated'])
})

test('a receiver that responds 410 disables its webhook, which resumes with a resync', async () => {
  await using receiver = await startReceiver()
  // Without another webhook, no change would be queued or passed over.
  await using unused = await startReceiver()
  await subscribe(server, unused, { kinds: ['NodePool'] })
  const path = await subscribe(server, receiver, { kinds: ['Cluster'] })
  receiver.respond = () => 410
  const { id } = await made()
  await expect.poll(async () => (await server.get(path)).body.state).toBe('disabled')
  const disabled = await server.get(path)
  expect(disabled.body.disabled_reason).toContain('410')
  await server.patch(`/clusters/${id}`, { spec: { size: 2 } })
  await untilQueued(server)
  const before = receiver.received.length
  receiver.respond = () => 200
  const enabled = await server.patch(path, { state: 'active' })
  expect(enabled.body).not.toHaveProperty('disabled_reason')
  await server.patch(`/clusters/${id}`, { spec: { size: 3 } })
  const sizes = () =>
    new Set(receiver.received.slice(before).map(({ type, body }) => body.data.spec?.size ?? type))
  await expect.poll(sizes).toEqual(new Set([1, 3, 'webhook.resync']))
  const resync = receiver.received.find(({ type }) => type === 'webhook.resync')
  expect(resync?.body.data.reason).toBe('disabled')
})

test('a late 410 of the previous URL does not disable a webhook that has a new one', async () => {
  await using old = await startReceiver()
  await using repaired = await startReceiver()
  let proceed = (): void => undefined
  const isRead = new Promise<void>((resolve) => (proceed = resolve))
  repaired.respond = () => isRead.then(() => 204)
  const path = await subscribe(server, old, { kinds: ['Cluster'] })
  const waiting: ((status: number) => void)[] = []
  old.respond = () => new Promise((resolve) => waiting.push(resolve))
  const { id } = await made()
  await expect.poll(() => waiting).toHaveLength(1)
  expect((await server.patch(path, { url: repaired.url })).status).toBe(200)
  for (const respond of waiting) respond(410)
  // The second attempt, at the new URL, would replace the status of the first one.
  expect(await attempted(path)).toMatchObject({ status_code: 410, resource_id: id })
  proceed()
  await expect.poll(() => repaired.received.map(({ body }) => body.data.id)).toContain(id)
  expect((await server.get(path)).body.state).toBe('active')
  await server.request('DELETE', path)
})

test('after a rotation both secrets verify events, and without an overlap only the new one', async () => {
  await using receiver = await startReceiver()
  const path = await subscribe(server, receiver)
  const old = receiver.secret
  const rotated = await server.post(`${path}/rotate-secret`, {})
  expect(rotated.status).toBe(200)
  expect(rotated.body.secret).not.toBe(old)
  expect(Date.parse(rotated.body.previous_secret_until)).toBeGreaterThan(Date.now())
  const sendTest = () => server.post(`${path}/test`, undefined)
  await sendTest()
  await expect.poll(() => receiver.received.length).toBe(1)
  const early = await server.post(`${path}/rotate-secret`, { overlap_seconds: 60 })
  expect([early.status, early.body.code]).toEqual([409, 'HYPERFLEET-CNF-003'])
  await sendTest()
  await expect.poll(() => receiver.received.length).toBe(2)
  receiver.secret = rotated.body.secret
  await sendTest()
  await expect.poll(() => receiver.received.length).toBe(3)
  const final = await server.post(`${path}/rotate-secret`, { overlap_seconds: 0 })
  expect(final.body).not.toHaveProperty('previous_secret_until')
  await sendTest()
  await expect.poll(() => receiver.rejected).toBeGreaterThan(0)
  receiver.secret = final.body.secret
  await expect.poll(() => receiver.received.length).toBe(4)
})

test('a receiver that does not respond in time fails the attempt', async () => {
  await using receiver = await startReceiver()
  await using hasty = await startWebhookServer({}, { outgoingWebhookTimeout: 1 })
  receiver.respond = () => null
  const path = await subscribe(hasty, receiver)
  await hasty.post(`${path}/test`, undefined)
  expect(await attempted(path, hasty)).toMatchObject({
    type: 'webhook.test',
    resource_id: null,
    status_code: null,
    error: 'no response within 1 s',
  })
})

test('redirects are not followed, and Retry-After extends the pause', async () => {
  await using target = await startReceiver()
  await using receiver = await startReceiver()
  const path = await subscribe(server, receiver)
  receiver.respond = () => ({ status: 307, headers: { Location: target.url } })
  await server.post(`${path}/test`, undefined)
  const { error } = await attempted(path)
  expect(error).toBe('status 307: redirects are not followed')
  expect(target.received).toEqual([])
  const busy = await startReceiver()
  const other = await subscribe(server, busy)
  busy.respond = () => ({ status: 429, headers: { 'Retry-After': '3600' } })
  await server.post(`${other}/test`, undefined)
  const { next_attempt_time, last_attempt_time } = await attempted(other)
  const pause = Date.parse(next_attempt_time) - Date.parse(last_attempt_time)
  expect(pause).toBeGreaterThan(3_590_000)
  await server.request('DELETE', other)
  await busy[Symbol.asyncDispose]()
})

test('an endless response does not occupy the server, and its status counts', async () => {
  let isClosed = false
  const endless = createServer((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
    response.on('close', () => {
      isClosed = true
      clearInterval(timer)
    })
  })
  const port = await listen(endless, 0, '127.0.0.1')
  const { body } = await server.post('/webhooks', { url: `http://127.0.0.1:${port}/` })
  await server.post(`/webhooks/${body.id}/test`, undefined)
  expect((await attempted(`/webhooks/${body.id}`)).state).toBe('delivered')
  await expect.poll(() => isClosed).toBe(true)
  endless.close()
})

test.each(['100 Continue', '102 Processing'])(
  'endless responses with %s fail the attempt soon',
  async (status) => {
    const server1xx = createTcpServer((socket) => {
      const send = () => {
        while (socket.writable && socket.write(`HTTP/1.1 ${status}\r\n\r\n`.repeat(100)));
      }
      socket.on('drain', send).on('error', () => undefined)
      socket.once('data', send)
    })
    const port = await listen(server1xx, 0, '127.0.0.1')
    const { body } = await server.post('/webhooks', { url: `http://127.0.0.1:${port}/` })
    await server.post(`/webhooks/${body.id}/test`, undefined)
    const { error } = await attempted(`/webhooks/${body.id}`)
    expect(error).toBe('the server sends no final response')
    await server.request('DELETE', `/webhooks/${body.id}`)
    server1xx.close()
  },
)

test('a name that resolves to a private address is never called', async () => {
  await using receiver = await startReceiver()
  await using strict = await startWebhookServer({
    OUTGOING_WEBHOOK_ALLOWED_HOSTS: '*,http://localhost',
  })
  const { port } = new URL(receiver.url)
  const { body, status } = await strict.post('/webhooks', { url: `http://localhost:${port}/` })
  expect(status).toBe(201)
  await strict.post(`/webhooks/${body.id}/test`, undefined)
  const read = async () => (await strict.get(`/webhooks/${body.id}/deliveries`)).body.items[0]
  await expect.poll(async () => (await read()).attempts).toBeGreaterThan(0)
  const { error } = await read()
  expect(error).toContain('localhost resolves to an address that is not public')
  expect(error).not.toMatch(/127\.|::1/)
  expect(receiver.received).toEqual([])
})

test('a queue beyond its limit collects no more events, and a resync follows', async () => {
  await using receiver = await startReceiver()
  await using limited = await startWebhookServer({}, { outgoingWebhookPendingLimit: 4 })
  const path = await subscribe(limited, receiver, { state: 'paused', kinds: ['Cluster'] })
  const { body: cluster } = await limited.post('/clusters', creation('Cluster'))
  const patch = (size: number) => limited.patch(`/clusters/${cluster.id}`, { spec: { size } })
  const isOverflowing = async () => {
    const rows = await queryDatabase(limited, 'select overflowing from webhooks')
    return rows[0]?.['overflowing']
  }
  let size = 100
  // The server counts the queue every few seconds.
  await expect
    .poll(
      async () => {
        await patch((size += 1))
        return isOverflowing()
      },
      { interval: 250 },
    )
    .toBe(true)
  await patch(7)
  await expect
    .poll(async () => {
      const sql = `select head.revision = webhook_cursor.revision as done from head, webhook_cursor`
      return (await queryDatabase(limited, sql))[0]?.['done']
    })
    .toBe(true)
  await limited.patch(path, { state: 'active' })
  await expect.poll(isOverflowing).toBe(false)
  await patch(8)
  await expect.poll(() => receiver.received.at(-1)?.body.data.spec?.size).toBe(8)
  const types = receiver.received.map(({ type }) => type)
  expect(types).toContain('webhook.resync')
  expect(receiver.received.map(({ body }) => body.data.spec?.size)).not.toContain(7)
})

test('changes that the log has dropped, and a new epoch, cause a resync', async () => {
  await using receiver = await startReceiver()
  await using api = await startTestServer({ env: { ...WEBHOOK_ENV, ROLE: 'api' } })
  const { body } = await api.post('/webhooks', { url: receiver.url, kinds: ['Cluster'] })
  receiver.secret = body.secret
  const { databaseUrl } = api
  const create = () => api.post('/clusters', creation('Cluster'))
  await create()
  await create()
  await expect
    .poll(async () =>
      Number((await queryDatabase(api, 'select revision from head'))[0]?.['revision']),
    )
    .toBeGreaterThan(1)
  await queryDatabase(api, 'update head set compacted = revision')
  const first = await startTestServer({ env: WEBHOOK_ENV, databaseUrl })
  await expect.poll(() => receiver.received.at(-1)?.body.data.reason).toBe('compacted')
  await create()
  await expect.poll(() => receiver.received.at(-1)?.type).toBe('cluster.created')
  await first[Symbol.asyncDispose]()
  await create()
  await queryDatabase(api, `update head set epoch = 'feedbeef'`)
  await using _second = await startTestServer({ env: WEBHOOK_ENV, databaseUrl })
  await expect.poll(() => receiver.received.at(-1)?.body.data.reason).toBe('new-epoch')
  await create()
  await expect.poll(() => receiver.received.at(-1)?.type).toBe('cluster.created')
  expect(receiver.received.at(-1)?.id).toMatch(/^msg_feedbeef_/)
})
