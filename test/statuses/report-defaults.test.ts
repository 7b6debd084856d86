import { PreciseDate } from '../../src/lib/precise-date.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, creation, KIND_CASES } from '../support/fixtures.ts'
import { statementsOf } from '../snapshots/snapshot-requests.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startPair } from '../storage/two-servers.ts'
import { openWatch } from '../watch/watch-client.ts'

const NOW = '2026-03-01T12:00:00.000000Z'
const WARNING =
  '299 - "observed_generation is missing: the report counts for generation 0, and never makes a newer spec Ready"'
const AVAILABLE = [{ type: 'Available', status: 'True' }]
const STRICT = ['Available', 'Applied', 'Health'].map((type) => ({ type, status: 'True' }))

describe.each(KIND_CASES)('a report on a $kind without observed_time', (kindCase) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ clock: () => new Date(NOW) })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test.each([
    ['POST', 'absent', {}],
    ['POST', 'null', { observed_time: null }],
    ['PUT', 'absent', {}],
    ['PUT', 'null', { observed_time: null }],
  ])("takes the server's clock: %s, %s", async (method, _what, members) => {
    const { item } = await create(server, kindCase)
    const body = { adapter: 'dns', observed_generation: 1, conditions: STRICT, ...members }
    const answer = await server.request(method, `${item}/statuses`, body)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body).toMatchObject({ created_time: NOW, last_report_time: NOW })
    for (const condition of answer.body.conditions) {
      expect(condition.last_transition_time).toBe(NOW)
    }
  })

  test('is never older than the previous one', async () => {
    const { item } = await create(server, kindCase)
    const put = (members: object) =>
      server.put(`${item}/statuses`, {
        adapter: 'dns',
        observed_generation: 1,
        conditions: STRICT,
        ...members,
      })
    expect((await put({ observed_time: '2026-03-01T12:01:00Z' })).status).toBe(201)
    expect((await put({})).status).toBe(201)
    expect((await put({ observed_time: '2026-03-01T11:59:00Z' })).status).toBe(204)
  })
})

describe.each(KIND_CASES)('a POST on a $kind without observed_generation', (kindCase) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test.each([{}, { observed_generation: null }])(
    'counts for generation 0, with a warning: %j',
    async (members) => {
      const { item } = await create(server, kindCase)
      const send = (adapter: string) =>
        server.post(`${item}/statuses`, { adapter, conditions: AVAILABLE, ...members })
      for (const adapter of kindCase.requiredAdapters) {
        const { status, body, headers } = await send(adapter)
        expect([status, body.observed_generation]).toEqual([201, 0])
        expect(headers.get('warning')).toBe(WARNING)
      }
      const shown = conditionsOf((await server.get(item)).body)
      expect(shown.get('Ready')).toMatchObject({ status: 'False', observed_generation: 1 })
      expect(shown.get('Reconciled')).toMatchObject({ status: 'False', observed_generation: 1 })
      expect(shown.get('Available')).toMatchObject({ status: 'True', observed_generation: 0 })
      await server.patch(item, { spec: { size: 2 } })
      expect((await send('validator')).body.observed_generation).toBe(0)
    },
  )

  test('is discarded as stale after a report with a generation', async () => {
    const { item } = await create(server, kindCase)
    const body = { adapter: 'validator', conditions: AVAILABLE }
    const named = await server.post(`${item}/statuses`, { ...body, observed_generation: 1 })
    expect([named.status, named.headers.get('warning')]).toEqual([201, null])
    const { status, headers } = await server.post(`${item}/statuses`, body)
    expect([status, headers.get('x-hyperfleet-discarded'), headers.get('warning')]).toEqual([
      204,
      'stale-generation',
      WARNING,
    ])
    const { body: statuses } = await server.get(`${item}/statuses`)
    expect(statuses.items).toMatchObject([{ observed_generation: 1 }])
  })

  test('never removes a resource that is being deleted', async () => {
    const { item } = await create(server, kindCase)
    await server.request('DELETE', item)
    const conditions = [...STRICT, { type: 'Finalized', status: 'True' }]
    for (const adapter of kindCase.requiredAdapters) {
      expect((await server.post(`${item}/statuses`, { adapter, conditions })).status).toBe(201)
    }
    expect((await server.get(item)).status).toBe(200)
  })

  test('is 400 as a PUT', async () => {
    const { item } = await create(server, kindCase)
    for (const members of [{}, { observed_generation: null }]) {
      const body = { adapter: 'validator', conditions: STRICT, ...members }
      expect(await server.put(`${item}/statuses`, body)).toMatchObject({
        status: 400,
        body: {
          errors: [{ field: 'observed_generation', message: 'observed_generation is required' }],
        },
      })
    }
  })
})

describe('reports without observed_generation and observed_time', () => {
  const short = (adapter: string) => ({ adapter, conditions: AVAILABLE })

  test('that repeat the stored report never apply to a spec that another server has changed', async () => {
    await using pair = await startPair()
    const { body } = await pair.at(0).post('/clusters', creation('Cluster'))
    const item = `/clusters/${body.id}`
    const send = () => pair.at(0).post(`${item}/statuses`, short('dns'))
    for (let count = 0; count < 3; count += 1) expect((await send()).status).toBe(201)
    expect(await statementsOf(pair.at(0), send)).toEqual(['refresh_reports'])
    await pair.at(1).patch(item, { spec: { size: 2 } })
    expect((await send()).body.observed_generation).toBe(0)
    const shown = conditionsOf((await pair.at(1).get(item)).body)
    expect(shown.get('DnsSuccessful')).toMatchObject({ observed_generation: 0 })
  })
})

describe('last_updated_time of Ready and Reconciled with a silent adapter', () => {
  let server: TestServer
  let now = Date.parse(NOW)
  beforeAll(async () => {
    server = await startTestServer({ clock: () => new Date(now) })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('is the oldest current report in reads, searches and watches', async () => {
    const { body } = await server.post('/clusters', creation('Cluster'))
    const item = `/clusters/${body.id}`
    const minute = 60_000
    const send = async (...adapters: string[]) => {
      for (const adapter of adapters) {
        now += minute
        const { body: resource } = await server.get(item)
        const report = { adapter, observed_generation: resource.generation, conditions: AVAILABLE }
        await server.post(`${item}/statuses`, report)
      }
      return new PreciseDate(now, 0).toISOString()
    }
    const silent = await send('validator')
    await send('dns', 'pullsecret', 'hypershift')
    now += minute
    await server.patch(item, { spec: { size: 2 } })
    const found = async (search: string) => {
      const query = `search=${encodeURIComponent(search)}`
      const { body: list } = await server.get(`/clusters?${query}`)
      using watch = await openWatch(server, `/clusters?watch=true&${query}`)
      await watch.until((event) => event.type === 'BOOKMARK')
      return { listed: list.total, watched: watch.changes().length }
    }
    const shown = async () => {
      const conditions = conditionsOf((await server.get(item)).body)
      const types = ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled']
      return types.map((type) => conditions.get(type)?.['last_updated_time'])
    }
    expect(await shown()).toEqual([silent, silent, silent, silent])
    const first = await send('dns')
    expect(await shown()).toEqual([silent, first, first, silent])
    await send('pullsecret', 'hypershift')
    // A watch has the times of the last change, so it agrees with a list until a heartbeat.
    for (const type of ['Ready', 'Reconciled']) {
      const part = `status.conditions.${type}.last_updated_time`
      expect(await found(`${part}='${first}'`)).toEqual({ listed: 1, watched: 1 })
      expect(await found(`${part}<'${first}'`)).toEqual({ listed: 0, watched: 0 })
    }
    const available = `status.conditions.Available.last_updated_time='${silent}'`
    expect(await found(available)).toEqual({ listed: 1, watched: 1 })
    // Heartbeats write only their own rows.
    await send('pullsecret', 'hypershift')
    expect(await shown()).toEqual([silent, first, first, silent])
    const second = await send('dns')
    const oldest = new PreciseDate(Date.parse(second) - 2 * minute, 0).toISOString()
    expect(await shown()).toEqual([silent, oldest, oldest, silent])
    expect(await found(`status.conditions.Ready.last_updated_time='${oldest}'`)).toMatchObject({
      listed: 1,
    })
  })
})
