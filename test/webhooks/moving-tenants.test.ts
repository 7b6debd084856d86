import { TABLES } from '../../src/cmd/tables.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import type { Database } from '../../src/store/database/database.ts'
import { joinShard } from '../../src/shards/storage/join-shard.ts'
import { closeCircuit, recordFailure } from '../../src/webhooks/storage/circuit.ts'
import { claimDeliveries } from '../../src/webhooks/storage/claim-deliveries.ts'
import { disableBrokenWebhook } from '../../src/webhooks/storage/disable-webhook.ts'
import { queueEvents } from '../../src/webhooks/storage/queue-events.ts'
import { readWebhookCursor } from '../../src/webhooks/storage/read-cursor.ts'
import { callerWith, made, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** It queues and sends nothing itself. */
let server: TestServer
let database: Database
/** Webhooks of a tenant that is being moved, and of another one. */
let moving: string
let staying: string
beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV })
  database = openTestDatabase(server.databaseUrl)
  const webhookOf = async (org: string): Promise<string> => {
    const caller = callerWith(server, tenantHeaders(org))
    return (await made(caller, '/webhooks', { url: 'https://hooks.example.com/' })).id
  }
  moving = await webhookOf('moving')
  staying = await webhookOf('staying')
  await joinShard(database, TABLES, 'a')
  await queryDatabase(
    server,
    "insert into tenant_states (tenant, state, revision) values ($1, 'frozen', 1), ($2, 'active', 2)",
    ['moving', 'staying'].map((org) => encodeTenant({ org, project: 'web' })),
  )
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('the events of all tenants are queued and sent while one tenant is being moved', async () => {
  const frozen = queryDatabase(server, 'update webhooks set url = url where id = $1', [moving])
  await expect(frozen).rejects.toMatchObject({ code: '40T01' })
  const { cursor } = await readWebhookCursor(database)
  const events = [moving, staying].map((webhookId) => {
    return { webhookId, resourceId: 'a', type: 'cluster.created', payload: '{}' }
  })
  const isQueued = await queueEvents(database, {
    from: cursor,
    to: cursor,
    events,
    split: { revision: cursor.revision + 1n, webhookIds: [moving] },
    overflowed: [staying],
    recovered: [],
  })
  expect(isQueued).toBe(true)
  // The probe has been due for a second: the clocks of two connections can differ by less.
  const failure = { isProbe: false, retryAfterSeconds: -1, firstPauseSeconds: -1 }
  for (let count = 0; count < 5; count += 1) {
    await recordFailure(database, { webhookId: moving, ...failure })
  }
  const claim = {
    busy: new Map(),
    excluded: [],
    perWebhook: 8,
    free: 256,
    maxBytes: 1_000_000,
    leaseSeconds: 20,
  }
  const claimed = await claimDeliveries(database, claim)
  expect(claimed.map(({ webhookId, isProbe }) => ({ webhookId, isProbe }))).toEqual([
    { webhookId: moving, isProbe: true },
    { webhookId: staying, isProbe: false },
  ])
  await closeCircuit(database, moving)
  const broken = { id: moving, search: '', kinds: [] }
  await disableBrokenWebhook(database, broken, 'its search is invalid')
  const [row] = await queryDatabase(server, 'select failures, state from webhooks where id = $1', [
    moving,
  ])
  expect(row).toEqual({ failures: 0, state: 'disabled' })
})
