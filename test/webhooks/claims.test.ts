import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { recordFailure } from '../../src/webhooks/storage/circuit.ts'
import {
  claimDeliveries,
  type ClaimedDelivery,
} from '../../src/webhooks/storage/claim-deliveries.ts'
import { disableGoneWebhook } from '../../src/webhooks/storage/disable-webhook.ts'
import { dropEmptyQueues } from '../../src/webhooks/storage/drop-finished.ts'
import { finishDeliveries } from '../../src/webhooks/storage/finish-deliveries.ts'
import { queueSingleEvent } from '../../src/webhooks/storage/queue-single-event.ts'
import { removeOldDeliveries } from '../../src/webhooks/remove-old-deliveries.ts'
import { must } from '../../src/lib/assert.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** It sends nothing, so that the tests decide when deliveries are claimed. */
let server: TestServer
let one: Database
let two: Database
beforeAll(async () => {
  server = await startTestServer()
  one = openTestDatabase(server.databaseUrl)
  two = openTestDatabase(server.databaseUrl)
})
afterAll(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function newWebhook(): Promise<string> {
  const { body } = await server.post('/webhooks', { url: 'https://hooks.example.com/' })
  return body.id
}

const queueEvent = (webhookId: string, resourceId: string, payload = '{}') =>
  queueSingleEvent(one, { webhookId, resourceId, type: 'cluster.updated', payload })

const CLAIM = {
  busy: new Map(),
  excluded: [],
  perWebhook: 8,
  free: 256,
  maxBytes: 1_000_000,
  leaseSeconds: 20,
}

const claim = (
  database: Database,
  fields: Partial<Parameters<typeof claimDeliveries>[1]> = {},
): Promise<readonly ClaimedDelivery[]> => claimDeliveries(database, { ...CLAIM, ...fields })

const finish = (database: Database, delivery: ClaimedDelivery) =>
  finishDeliveries(database, [
    { delivery, state: 'delivered', delaySeconds: 0, statusCode: 200, error: '', durationMs: 1 },
  ])

async function pendingOf(webhookId: string): Promise<number> {
  return (await server.get(`/webhooks/${webhookId}`)).body.pending_deliveries
}

test('one of several servers takes the probe of an open circuit', async () => {
  const webhookId = await newWebhook()
  for (const resource of ['a', 'b', 'c']) await queueEvent(webhookId, resource)
  const failure = { webhookId, isProbe: false, retryAfterSeconds: 0, firstPauseSeconds: 0 }
  for (let count = 0; count < 5; count += 1) await recordFailure(one, failure)
  const claimed = (await Promise.all([claim(one), claim(two), claim(one), claim(two)])).flat()
  expect(claimed).toMatchObject([{ webhookId, isProbe: true, failures: 5 }])
  await server.request('DELETE', `/webhooks/${webhookId}`)
})

test('a probe that finds no free slot is sent once one is free', async () => {
  const probed = await newWebhook()
  const other = await newWebhook()
  await queueEvent(other, 'a')
  await queueEvent(probed, 'a')
  const failure = { webhookId: probed, isProbe: false, retryAfterSeconds: 0, firstPauseSeconds: 0 }
  for (let count = 0; count < 5; count += 1) await recordFailure(one, failure)
  expect(await claim(one, { free: 1 })).toMatchObject([{ webhookId: other }])
  expect(await claim(one, { free: 1 })).toMatchObject([{ webhookId: probed, isProbe: true }])
  for (const id of [probed, other]) await server.request('DELETE', `/webhooks/${id}`)
})

test('excluded webhooks are left to other servers', async () => {
  const [readable, unreadable] = [await newWebhook(), await newWebhook()]
  for (const id of [readable, unreadable]) await queueEvent(id, 'a')
  expect(await claim(one, { excluded: [unreadable] })).toMatchObject([{ webhookId: readable }])
  expect(await claim(two)).toMatchObject([{ webhookId: unreadable }])
  for (const id of [readable, unreadable]) await server.request('DELETE', `/webhooks/${id}`)
})

test('webhooks with the fewest requests come first, then those that wait longest', async () => {
  const [busy, first, second] = [await newWebhook(), await newWebhook(), await newWebhook()]
  for (const resource of ['a', 'b']) {
    for (const id of [busy, first, second]) await queueEvent(id, resource)
  }
  const claimed = async (sent: Readonly<Record<string, number>>, free: number) =>
    (await claim(one, { busy: new Map(Object.entries(sent)), free })).map(
      ({ webhookId }) => webhookId,
    )
  // The tenant has one request and takes a second one, because it leaves two slots free.
  expect(await claimed({ [busy]: 1 }, 2)).toEqual([first])
  expect(await claimed({ [busy]: 1, [first]: 1 }, 3)).toEqual([second])
  expect(await claimed({ [busy]: 3 }, 2)).toEqual([])
  expect((await claimed({}, 256)).toSorted()).toEqual([busy, busy, first, second].toSorted())
  for (const id of [busy, first, second]) await server.request('DELETE', `/webhooks/${id}`)
})

test('a claim takes payloads up to a limit in bytes, and at least one', async () => {
  const webhookId = await newWebhook()
  const payload = JSON.stringify('x'.repeat(1000))
  for (const resource of ['a', 'b', 'c']) await queueEvent(webhookId, resource, payload)
  expect(await claim(one, { maxBytes: 2500 })).toHaveLength(2)
  expect(await claim(one, { maxBytes: 10 })).toHaveLength(1)
  await server.request('DELETE', `/webhooks/${webhookId}`)
})

test('a webhook that is disabled has no open circuit, whatever its last requests return', async () => {
  const webhookId = await newWebhook()
  const failure = { webhookId, isProbe: false, retryAfterSeconds: 60, firstPauseSeconds: 60 }
  const fail = async (): Promise<unknown> => {
    for (let count = 0; count < 5; count += 1) await recordFailure(one, failure)
    return (await server.get(`/webhooks/${webhookId}`)).body
  }
  expect(await fail()).toMatchObject({ state: 'active', circuit: 'open' })
  await disableGoneWebhook(one, { id: webhookId, url: 'https://hooks.example.com/' }, 'gone')
  expect(await fail()).toMatchObject({ state: 'disabled', circuit: 'closed' })
  await server.request('DELETE', `/webhooks/${webhookId}`)
})

test('each failed probe doubles the pause, up to five minutes', async () => {
  const webhookId = await newWebhook()
  const fail = (isProbe: boolean) =>
    recordFailure(one, { webhookId, isProbe, retryAfterSeconds: 0, firstPauseSeconds: 5 })
  const pause = async () => {
    const text = `select extract(epoch from probe_time - now())::float8 as seconds from webhooks
      where id = $1`
    const { rows } = await one.pool.query<{ seconds: number | null }>(text, [webhookId])
    return rows[0]?.seconds ?? null
  }
  for (let count = 0; count < 4; count += 1) await fail(false)
  expect(await pause()).toBeNull()
  const pauses: number[] = []
  for (let count = 0; count < 8; count += 1) {
    await fail(count > 0)
    // Requests that began before the circuit opened do not extend it.
    await fail(false)
    pauses.push(Math.round((must(await pause(), 'a pause') + 2) / 5) * 5)
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  await server.request('DELETE', `/webhooks/${webhookId}`)
})

test('a late result does not finish an event of a queue that was created again', async () => {
  const webhookId = await newWebhook()
  await queueEvent(webhookId, 'a')
  const stale = must((await claim(one))[0], 'the first claim')
  await one.pool.query('update webhook_queues set due_time = now()')
  const current = must((await claim(two))[0], 'the claim after the lease')
  expect(await finish(one, stale)).toEqual(new Set())
  expect(await finish(two, current)).toEqual(new Set([current.seq]))
  await dropEmptyQueues(one)
  await queueEvent(webhookId, 'a')
  const again = must((await claim(two))[0], 'the claim of the new queue')
  expect(again.lease).toBe(stale.lease)
  expect(await finish(one, stale)).toEqual(new Set())
  expect(await pendingOf(webhookId)).toBe(1)
  expect(await finish(two, again)).toEqual(new Set([again.seq]))
  expect(await pendingOf(webhookId)).toBe(0)
  await server.request('DELETE', `/webhooks/${webhookId}`)
})

test('a deletion waits for no row of the queues, which are removed in batches later', async () => {
  const webhookId = await newWebhook()
  await queueEvent(webhookId, 'a')
  // More than one batch.
  await one.pool.query(
    `insert into webhook_deliveries (webhook_id, resource_id, epoch, type, payload, state)
    select $1, 'a', 'e', 'cluster.updated', '{}', 'delivered' from generate_series(1, 6000)`,
    [webhookId],
  )
  const sending = await two.pool.connect()
  await sending.query('begin')
  await sending.query('select from webhook_queues where webhook_id = $1 for update', [webhookId])
  expect((await server.request('DELETE', `/webhooks/${webhookId}`)).status).toBe(204)
  for (const path of ['', '/deliveries']) {
    expect((await server.get(`/webhooks/${webhookId}${path}`)).status).toBe(404)
  }
  const { body } = await server.get('/webhooks?pageSize=1000')
  expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(webhookId)
  expect(await queueEvent(webhookId, 'b')).toBeNull()
  await sending.query('commit')
  sending.release()
  expect((await claim(one)).map((delivery) => delivery.webhookId)).not.toContain(webhookId)
  await removeOldDeliveries(one, { delivered: 3600, dead: 3600 })
  const left = await one.pool.query(
    `select id from webhooks where id = $1
    union all select webhook_id from webhook_queues where webhook_id = $1
    union all select webhook_id from webhook_deliveries where webhook_id = $1`,
    [webhookId],
  )
  expect(left.rows).toEqual([])
})

test('a redelivery does not wait for the next attempt of a later event of its resource', async () => {
  const webhookId = await newWebhook()
  const first = await queueEvent(webhookId, 'a')
  await queueEvent(webhookId, 'a')
  const taken = must((await claim(one))[0], 'the first event')
  expect(taken.messageId).toBe(first)
  const failed = { statusCode: 500, error: 'status 500', durationMs: 1 }
  await finishDeliveries(one, [{ delivery: taken, state: 'dead', delaySeconds: 0, ...failed }])
  const later = must((await claim(one))[0], 'the second event')
  const redeliver = () =>
    server.post(`/webhooks/${webhookId}/dead-letters/${first}/redeliver`, undefined)
  const wait = { state: 'pending', delaySeconds: 86_400, ...failed } as const
  await finishDeliveries(one, [{ delivery: later, ...wait }])
  expect(await claim(two)).toEqual([])
  expect((await redeliver()).status).toBe(202)
  const [redelivered] = await claim(two)
  expect(redelivered?.messageId).toBe(first)
  // While a request is in flight, the queue is due when its lease ends.
  await one.pool.query(`update webhook_deliveries set state = 'dead' where seq = $1`, [taken.seq])
  expect((await redeliver()).status).toBe(202)
  expect(await claim(two)).toEqual([])
  await server.request('DELETE', `/webhooks/${webhookId}`)
})

test('a test event and a redelivery wait for a concurrent deletion', async () => {
  for (const action of ['test', 'dead-letters/redeliver']) {
    const webhookId = await newWebhook()
    await queueEvent(webhookId, 'a')
    await one.pool.query(`update webhook_deliveries set state = 'dead'`)
    const other = await two.pool.connect()
    await other.query('begin')
    await other.query('delete from webhooks where id = $1', [webhookId])
    const response = server.post(`/webhooks/${webhookId}/${action}`, undefined)
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await one.pool.query(waiting)).rowCount).toBe(1)
    await other.query('commit')
    other.release()
    const { status, body } = await response
    if (action === 'test') expect(status).toBe(404)
    else expect([status, body.count]).toEqual([202, 0])
  }
})
