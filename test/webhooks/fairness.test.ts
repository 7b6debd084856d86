import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { WEBHOOK_ENV } from './webhook-server.ts'

const CONCURRENCY = 64
/** Their requests alone could fill the server, which sends 512 at the same time. */
const SLOW_WEBHOOKS = 9
const MAX_OF_TENANT = 256

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { ...TENANT_ENV, ...WEBHOOK_ENV },
    config: { outgoingWebhookTimeout: 3600, outgoingWebhookConcurrency: CONCURRENCY },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Keeps each request of the receiver open. Returns the number of open ones. */
function holdAll(receiver: Receiver): () => number {
  let held = 0
  receiver.respond = () => {
    held += 1
    return null
  }
  return () => held
}

test('a tenant whose receivers do not respond leaves slots for all other tenants', async () => {
  await using slow = await startReceiver()
  await using quick = await startReceiver()
  const held = holdAll(slow)
  const hog = callerWith(server, tenantHeaders('hog'))
  const fields = { kinds: ['Cluster'], url: slow.url }
  for (let count = 0; count < SLOW_WEBHOOKS; count += 1) await made(hog, '/webhooks', fields)
  for (let count = 0; count < CONCURRENCY; count += 1) {
    await made(hog, '/clusters', creation('Cluster'))
  }
  await expect.poll(held).toBe(MAX_OF_TENANT)
  for (const org of ['acme', 'umbrella']) {
    const caller = callerWith(server, tenantHeaders(org))
    await made(caller, '/webhooks', { kinds: ['Cluster'], url: quick.url })
    const { id } = await made(caller, '/clusters', creation('Cluster'))
    await expect.poll(() => quick.received.map(({ body }) => body.data.id)).toContain(id)
  }
  expect(held()).toBe(MAX_OF_TENANT)
})
