import { expect, test } from 'vitest'
import { queryDatabase } from '../support/fixtures.ts'
import { createTestDatabase } from '../support/test-database.ts'
import type { TestServer } from '../support/test-server.ts'
import { startReceiver } from './receiver.ts'
import { startWebhookServer, subscribe, WEBHOOK_ENV } from './webhook-server.ts'
import { startTestServer } from '../support/test-server.ts'

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const OLD = keyOf('2026', 7)
const NEW = keyOf('2027', 8)

async function storedUrl(server: TestServer): Promise<string> {
  const [row] = await queryDatabase(server, 'select url from webhooks')
  return String(row?.['url'])
}

function startOn(databaseUrl: string, SECRETS_ENCRYPTION_KEY?: string): Promise<TestServer> {
  const key = SECRETS_ENCRYPTION_KEY === undefined ? {} : { SECRETS_ENCRYPTION_KEY }
  return startTestServer({ databaseUrl, env: { ...WEBHOOK_ENV, ...key } })
}

test('the URL is stored encrypted, callers read it, and events reach it', async () => {
  await using receiver = await startReceiver()
  await using server = await startWebhookServer({ SECRETS_ENCRYPTION_KEY: OLD })
  const path = await subscribe(server, receiver)
  expect(await storedUrl(server)).toMatch(/^flotilla:v1:2026:/)
  expect((await server.get(path)).body.url).toBe(receiver.url)
  expect((await server.get('/webhooks')).body.items).toMatchObject([{ url: receiver.url }])
  await server.post(`${path}/test`, undefined)
  await expect.poll(() => receiver.received.length).toBe(1)
  const before = await storedUrl(server)
  const paused = await server.patch(path, { state: 'paused' })
  expect(paused.body).toMatchObject({ state: 'paused', url: receiver.url })
  expect(await storedUrl(server)).toBe(before)
  const changed = await server.patch(path, { url: `${receiver.url}other` })
  expect(changed.body.url).toBe(`${receiver.url}other`)
  expect(await storedUrl(server)).toMatch(/^flotilla:v1:2026:/)
  expect(await storedUrl(server)).not.toBe(before)
})

test('a receiver that is gone disables a webhook whose URL is encrypted', async () => {
  await using receiver = await startReceiver()
  await using server = await startWebhookServer({ SECRETS_ENCRYPTION_KEY: OLD })
  const path = await subscribe(server, receiver)
  receiver.respond = () => 410
  await server.post(`${path}/test`, undefined)
  await expect.poll(async () => (await server.get(path)).body.state).toBe('disabled')
})

test('a server encrypts the URLs of older versions, and those with an older key', async () => {
  await using receiver = await startReceiver()
  await using database = await createTestDatabase()
  let path: string
  {
    await using plain = await startOn(database.url)
    path = await subscribe(plain, receiver)
    expect(await storedUrl(plain)).toBe(receiver.url)
  }
  {
    await using server = await startOn(database.url, OLD)
    await expect.poll(() => storedUrl(server)).toMatch(/^flotilla:v1:2026:/)
    await server.post(`${path}/test`, undefined)
    await expect.poll(() => receiver.received.length).toBe(1)
  }
  {
    await using server = await startOn(database.url, `${NEW},${OLD}`)
    await expect.poll(() => storedUrl(server)).toMatch(/^flotilla:v1:2027:/)
    expect((await server.get(path)).body.url).toBe(receiver.url)
  }
  await using without = await startOn(database.url)
  expect(await without.get(path)).toMatchObject({
    status: 200,
    body: { url: '', url_problem: expect.stringContaining('SECRETS_ENCRYPTION_KEY is not set') },
  })
  expect((await without.request('DELETE', path)).status).toBe(204)
})

test('a webhook whose key is lost waits without failures, and a new URL repairs it', async () => {
  await using receiver = await startReceiver()
  await using database = await createTestDatabase()
  let path: string
  {
    await using server = await startOn(database.url, OLD)
    path = await subscribe(server, receiver)
    await expect.poll(() => storedUrl(server)).toMatch(/^flotilla:v1:2026:/)
  }
  await using server = await startOn(database.url, NEW)
  const unreadable = { url: '', url_problem: expect.stringContaining("the key '2026'") }
  const list = await server.get('/webhooks')
  expect(list).toMatchObject({ status: 200, body: { items: [unreadable] } })
  const test = await server.post(`${path}/test`, undefined)
  expect(test.status).toBe(202)
  const metrics = async () => (await fetch(`${server.metricsOrigin}/metrics`)).text()
  await expect.poll(metrics).toMatch(/^flotilla_webhook_unreadable_total [1-9]/m)
  expect((await server.get(`${path}/deliveries`)).body.items).toMatchObject([
    { state: 'pending', attempts: 0 },
  ])
  expect((await server.get(path)).body).toMatchObject({ circuit: 'closed' })
  const paused = await server.patch(path, { state: 'paused' })
  expect(paused).toMatchObject({ status: 200, body: { ...unreadable, state: 'paused' } })
  const repaired = await server.patch(path, { url: receiver.url, state: 'active' })
  expect(repaired).toMatchObject({ status: 200, body: { url: receiver.url } })
  expect(repaired.body.url_problem).toBeUndefined()
  const rotation = await server.post(`${path}/rotate-secret`, { overlap_seconds: 0 })
  receiver.secret = rotation.body.secret
  await queryDatabase(server, 'update webhook_queues set due_time = now()')
  await expect.poll(() => receiver.received.length).toBe(1)
})

test('URLs stay as they are while a server lacks the key', async () => {
  await using receiver = await startReceiver()
  await using database = await createTestDatabase()
  await using without = await startOn(database.url)
  const path = await subscribe(without, receiver)
  await using server = await startOn(database.url, OLD)
  const url = `${receiver.url}other`
  expect((await server.patch(path, { url })).body.url).toBe(url)
  expect(await storedUrl(server)).toBe(url)
  expect((await without.get(path)).body.url).toBe(url)
  const metrics = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  expect(metrics).toMatch(/^flotilla_configuration_mismatch 0$/m)
  await without[Symbol.asyncDispose]()
  await expect.poll(() => storedUrl(server)).toMatch(/^flotilla:v1:2026:/)
})

test('URLs stay as they are while a server of an older version is alive', async () => {
  await using receiver = await startReceiver()
  await using server = await startWebhookServer({ SECRETS_ENCRYPTION_KEY: OLD })
  await queryDatabase(
    server,
    `insert into servers (id, host, started_time, seen_time, fingerprint, configuration)
     values ('older', 'h', now(), now() + interval '1 hour', 'older', '{"settings": {}}')`,
  )
  const path = await subscribe(server, receiver)
  expect(await storedUrl(server)).toBe(receiver.url)
  await server.patch(path, { url: `${receiver.url}other` })
  expect(await storedUrl(server)).toBe(`${receiver.url}other`)
  await queryDatabase(server, "delete from servers where id = 'older'")
  await expect.poll(() => storedUrl(server)).toMatch(/^flotilla:v1:2026:/)
})
