import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expireLease } from '../adapter-work/worker.ts'
import { callerWith, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { newName, queryDatabase, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Received, startReceiver, withoutRepetitions } from '../webhooks/receiver.ts'
import { subscribe, untilQueued, WEBHOOK_ENV } from '../webhooks/webhook-server.ts'

/** Servers of tests evaluate alerts all the time. */
const EAGER = { alertInterval: 1, alertRest: 0, alertPollMs: 200 }
/** A view is evaluated once in a second. */
const WAIT = { timeout: 120_000, interval: 100 }
const FIRING = {
  kinds: ['View'],
  search: "status.conditions.Firing='True'",
  events: ['entered', 'left'],
}

const start = (env: NodeJS.ProcessEnv = {}, databaseUrl?: string): Promise<TestServer> =>
  startTestServer({
    env: { ...WEBHOOK_ENV, ...env },
    config: EAGER,
    ...(databaseUrl !== undefined && { databaseUrl }),
  })

/** A caller that creates resources. */
type Poster = Pick<TestServer, 'post' | 'get'>

interface Made {
  readonly id: string
  readonly name: string
}

async function createView(server: Poster, search: string, alert: object | null): Promise<Made> {
  const spec = { kind: 'Cluster', search, ...(alert && { alert }) }
  const { status, body, text } = await server.post('/views', {
    kind: 'View',
    name: newName(),
    spec,
  })
  expect(status, text).toBe(201)
  return body
}

async function createCluster(server: Poster, labels: object, spec = {}): Promise<Made> {
  const cluster = { kind: 'Cluster', name: newName(), spec, labels }
  const { status, body, text } = await server.post('/clusters', cluster)
  expect(status, text).toBe(201)
  return body
}

/** A condition of a view, as its status and reason. */
async function conditionOf(server: Poster, { id }: Made, type: string): Promise<string | null> {
  const { conditions } = (await server.get(`/views/${id}`)).body.status
  const found = conditions.find((condition: { type: string }) => condition.type === type)
  return found ? `${found.status} ${found.reason}` : null
}

async function countOf(server: Poster, { id }: Made): Promise<number | undefined> {
  const { items } = (await server.get(`/views/${id}/statuses`)).body
  return items[0]?.data.count
}

/** The events of views by name, each once. */
const namesOf = (received: readonly Received[]): readonly string[] =>
  withoutRepetitions(received).map(({ type, body }) => `${type} ${body.data.name}`)

describe('alerts', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('send one event when they fire and one when they are resolved', async () => {
    await using receiver = await startReceiver()
    const attempts: string[] = []
    receiver.respond = ({ id }) => (attempts.push(id) === 1 ? 500 : 200)
    await subscribe(server, receiver, FIRING)
    const crew = newName()
    const view = await createView(server, `labels.crew='${crew}'`, { more_than: 1, for_minutes: 0 })
    await createCluster(server, { crew })
    await expect.poll(() => countOf(server, view), WAIT).toBe(1)
    expect(await conditionOf(server, view, 'Firing')).toBe('False WithinLimit')
    const second = await createCluster(server, { crew })
    await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('True LimitExceeded')
    // A changed number of matches is no event.
    await createCluster(server, { crew })
    await expect.poll(() => countOf(server, view), WAIT).toBe(3)
    for (const { id } of [second, await createCluster(server, { crew })]) {
      await server.patch(`/clusters/${id}`, { labels: {} })
    }
    await expect.poll(() => countOf(server, view), WAIT).toBe(2)
    expect((await server.patch(`/views/${view.id}`, { labels: { calm: 'true' } })).status).toBe(200)
    const alert = { more_than: 2, for_minutes: 0 }
    const spec = { kind: 'Cluster', search: `labels.crew='${crew}'`, alert }
    await server.patch(`/views/${view.id}`, { spec })
    const events = [`view.entered ${view.name}`, `view.left ${view.name}`]
    await expect.poll(() => namesOf(receiver.received), WAIT).toEqual(events)
    // The first attempt failed, and the next one had the same ID.
    expect(attempts[1]).toBe(attempts[0])
    const [entered] = receiver.received
    expect(entered?.body.data.status.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Firing',
        status: 'True',
        message: 'More than 1 resources match',
      }),
    )
  })

  test('are pending until more resources have matched for their time', async () => {
    const crew = newName()
    await createCluster(server, { crew })
    const view = await createView(server, `labels.crew='${crew}'`, {
      more_than: 0,
      for_minutes: 60,
    })
    await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('False Pending')
    const begin = `update adapter_statuses set
      data = json_build_object('over_since', now() - interval '61 minutes')
      where resource_id = $1`
    // An evaluation that has read the report before replaces the time again.
    const firing = async () => {
      await queryDatabase(server, begin, [view.id])
      return conditionOf(server, view, 'Firing')
    }
    await expect.poll(firing, WAIT).toBe('True LimitExceeded')
  })

  test('that cannot be evaluated keep their state, and their view is not available', async () => {
    const crew = newName()
    await createCluster(server, { crew })
    const view = await createView(server, `labels.crew='${crew}'`, { more_than: 0, for_minutes: 0 })
    await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('True LimitExceeded')
    const replaceSearch = `update resources set version = version + 1,
      spec = jsonb_set(spec, '{search}', to_jsonb($2::text)) where id = $1`
    await queryDatabase(server, replaceSearch, [view.id, "region = 'north'"])
    await expect.poll(() => conditionOf(server, view, 'Available'), WAIT).toMatch(/^False/)
    expect(await conditionOf(server, view, 'AlertsSuccessful')).toBe('False SearchInvalid')
    expect(await conditionOf(server, view, 'Firing')).toBe('True LimitExceeded')
    await queryDatabase(server, replaceSearch, [view.id, "labels.crew = 'none'"])
    await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('False WithinLimit')
    expect(await conditionOf(server, view, 'Ready')).toMatch(/^True/)
  })

  test.each(['never', '9999-01-01T00:00:00Z'])(
    'start to count again if another reporter has set the time to %s',
    async (time) => {
      const crew = newName()
      await createCluster(server, { crew })
      const alert = { more_than: 0, for_minutes: 0 }
      const view = await createView(server, `labels.crew='${crew}'`, alert)
      await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('True LimitExceeded')
      const forged = report('alerts', { data: { over_since: time } })
      const { status, text } = await server.post(`/views/${view.id}/statuses`, forged)
      expect(status, text).toBe(201)
      await expect.poll(() => countOf(server, view), WAIT).toBe(1)
      expect(await conditionOf(server, view, 'Firing')).toBe('True LimitExceeded')
    },
  )

  test('whose search takes too long keep their state until it is fast again', async () => {
    const crew = newName()
    // Each comparison reads the large spec again, so that the count runs until it is cancelled.
    const spec = { filler: 'x'.repeat(500_000) }
    const clusters = await Promise.all(
      Array.from({ length: 4 }, () => createCluster(server, { crew }, spec)),
    )
    const slow = Array.from({ length: 120 }, (_, index) => `spec.filler!='${index}'`)
    const search = [`labels.crew='${crew}'`, ...slow].join(' and ')
    const view = await createView(server, search, { more_than: 0, for_minutes: 0 })
    await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('True LimitExceeded')
    // PostgreSQL reports a cancelled statement as it reports one at the statement timeout.
    const cancelCount = `select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'active'
        and query like '%count(*)%' and query like '%spec #>>%' and pid <> pg_backend_pid()`
    const reason = async () => {
      await queryDatabase(server, cancelCount)
      return conditionOf(server, view, 'AlertsSuccessful')
    }
    await expect.poll(reason, WAIT).toBe('False SearchTimedOut')
    expect(await conditionOf(server, view, 'Firing')).toBe('True LimitExceeded')
    for (const { id } of clusters) await server.patch(`/clusters/${id}`, { spec: {} })
    await expect.poll(() => conditionOf(server, view, 'Firing'), WAIT).toBe('False WithinLimit')
    expect(await conditionOf(server, view, 'Ready')).toMatch(/^True/)
  })

  test('of views without one do not exist, and views are deleted', async () => {
    const view = await createView(server, '', null)
    await expect.poll(() => conditionOf(server, view, 'Ready'), WAIT).toMatch(/^True/)
    expect(await conditionOf(server, view, 'Firing')).toBeNull()
    expect((await server.request('DELETE', `/views/${view.id}`)).status).toBeLessThan(300)
    await expect.poll(async () => (await server.get(`/views/${view.id}`)).status, WAIT).toBe(404)
  })
})

test('alerts count the resources of their tenant only', async () => {
  await using server = await start(TENANT_ENV)
  const [owner, stranger] = ['umbrella', 'acme'].map((org) =>
    callerWith(server, tenantHeaders(org)),
  )
  if (owner === undefined || stranger === undefined) throw new Error('two callers')
  const alert = { more_than: 1, for_minutes: 0 }
  const views = await Promise.all([owner, stranger].map((caller) => createView(caller, '', alert)))
  for (const caller of [owner, owner, stranger]) await createCluster(caller, {})
  const [first, second] = views
  if (first === undefined || second === undefined) throw new Error('two views')
  await expect.poll(() => conditionOf(owner, first, 'Firing'), WAIT).toBe('True LimitExceeded')
  await expect.poll(() => countOf(stranger, second), WAIT).toBe(1)
  expect(await conditionOf(stranger, second, 'Firing')).toBe('False WithinLimit')
})

test('two servers send each transition once, also if a third one died with the view', async () => {
  await using api = await startTestServer({ env: { ...WEBHOOK_ENV, ROLE: 'api' } })
  await using receiver = await startReceiver()
  await subscribe(api, receiver, FIRING)
  const crew = newName()
  const cluster = await createCluster(api, { crew })
  const view = await createView(api, `labels.crew='${crew}'`, { more_than: 0, for_minutes: 0 })
  // A server that leases the view and is killed before it reports.
  const lease = { kinds: ['View'], leaseSeconds: 600, waitSeconds: 30 }
  expect((await api.post('/adapters/alerts/lease', lease)).body.size).toBe(1)
  await using _one = await start({ ROLE: 'controllers' }, api.databaseUrl)
  await using _other = await start({ ROLE: 'controllers' }, api.databaseUrl)
  await expireLease(api, view.id)
  const events: string[] = []
  for (let round = 0; round < 2; round += 1) {
    for (const [state, labels] of [
      ['True LimitExceeded', { crew }],
      ['False WithinLimit', {}],
    ] as const) {
      await api.patch(`/clusters/${cluster.id}`, { labels })
      await expect.poll(() => conditionOf(api, view, 'Firing'), WAIT).toBe(state)
      events.push(`view.${state.startsWith('True') ? 'entered' : 'left'} ${view.name}`)
    }
  }
  await untilQueued(api)
  await expect.poll(() => namesOf(receiver.received).length, WAIT).toBe(events.length)
  expect(namesOf(receiver.received)).toEqual(events)
})
