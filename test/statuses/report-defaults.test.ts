import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, creation, KIND_CASES } from '../support/fixtures.ts'
import { statementsOf } from '../snapshots/snapshot-requests.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startPair } from '../storage/two-servers.ts'
import { openWatch } from '../watch/watch-client.ts'

const NOW = '2026-03-01T12:00:00.000Z'
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
    'is about the generation that the resource has: %j',
    async (members) => {
      const { item } = await create(server, kindCase)
      const send = async () => {
        const body = { adapter: 'validator', conditions: AVAILABLE, ...members }
        return (await server.post(`${item}/statuses`, body)).body.observed_generation
      }
      expect(await send()).toBe(1)
      await server.patch(item, { spec: { size: 2 } })
      expect(await send()).toBe(2)
      await server.request('DELETE', item)
      expect(await send()).toBe(3)
    },
  )

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
  const generations = (body: { items: { observed_generation: number }[] }) =>
    body.items.map((status) => status.observed_generation)

  test('that repeat the stored report apply to a spec that another server has changed', async () => {
    await using pair = await startPair()
    const { body } = await pair.at(0).post('/clusters', creation('Cluster'))
    const item = `/clusters/${body.id}`
    const send = () => pair.at(0).post(`${item}/statuses`, short('dns'))
    for (let count = 0; count < 3; count += 1) expect((await send()).status).toBe(201)
    expect(await statementsOf(pair.at(0), send)).toEqual(['refresh_reports'])
    await pair.at(1).patch(item, { spec: { size: 2 } })
    expect((await send()).body.observed_generation).toBe(2)
    const shown = conditionsOf((await pair.at(1).get(item)).body)
    expect(shown.get('DnsSuccessful')).toMatchObject({ observed_generation: 2 })
  })

  test('that arrive with changes of the spec get a generation that existed', async () => {
    await using pair = await startPair()
    const { body } = await pair.at(0).post('/clusters', creation('Cluster'))
    const item = `/clusters/${body.id}`
    const adapters = ['validator', 'dns', 'pullsecret', 'hypershift']
    for (let size = 2; size <= 8; size += 1) {
      const [patched, ...answers] = await Promise.all([
        pair.at(size).patch(item, { spec: { size } }),
        ...adapters.map((adapter) => pair.at(0).post(`${item}/statuses`, short(adapter))),
      ])
      expect(patched.body.generation).toBe(size)
      for (const answer of answers) {
        expect(answer.status, answer.text).toBe(201)
        expect([size - 1, size]).toContain(answer.body.observed_generation)
      }
      await Promise.all(adapters.map((name) => pair.at(0).post(`${item}/statuses`, short(name))))
      const { body: statuses } = await pair.at(1).get(`${item}/statuses`)
      expect(generations(statuses)).toEqual([size, size, size, size])
      const shown = conditionsOf((await pair.at(1).get(item)).body)
      expect(shown.get('Ready')).toMatchObject({ status: 'True', observed_generation: size })
    }
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
        await server.post(`${item}/statuses`, { adapter, conditions: AVAILABLE })
      }
      return new Date(now).toISOString()
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
    const oldest = new Date(Date.parse(second) - 2 * minute).toISOString()
    expect(await shown()).toEqual([silent, oldest, oldest, silent])
    expect(await found(`status.conditions.Ready.last_updated_time='${oldest}'`)).toMatchObject({
      listed: 1,
    })
  })
})
