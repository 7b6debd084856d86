import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, KIND_CASES, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const DISCARDED = 'x-hyperfleet-discarded'
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const SECOND = 1000
const MINUTE = 60 * SECOND

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(NOW) })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Differences from a current, complete report of Available True at generation 1. */
interface Told {
  readonly available?: string
  readonly types?: readonly string[]
  readonly generation?: number
  /** How far the adapter's clock is ahead, in milliseconds. */
  readonly ahead?: number
}

function strictReport(adapter: string, told: Told = {}) {
  const { available = 'True', types = ['Available', 'Applied', 'Health'], ahead = 0 } = told
  return {
    adapter,
    observed_generation: told.generation ?? 1,
    observed_time: new Date(NOW + ahead).toISOString(),
    conditions: types.map((type) => ({ type, status: type === 'Available' ? available : 'True' })),
  }
}

/** A report as the statuses list shows it. */
interface Status {
  readonly adapter: string
  readonly conditions: readonly object[]
}

/** The state that must not change if nothing is written. */
async function rowsOf(id: string) {
  return queryDatabase(
    server,
    `select r.xmin::text as x, r.version, s.adapter, s.xmin::text as y, s.revision
     from resources r left join adapter_statuses s on s.resource_id = r.id
     where r.id = $1 order by s.adapter`,
    [id],
  )
}

/** The number of reports discarded for this reason. */
async function discardedFor(reason: string): Promise<number> {
  const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  const line = `flotilla_reports_total{result="discarded",reason="${reason}"}`
  return Number(text.split(line)[1]?.split('\n')[0] ?? 0)
}

describe.each(KIND_CASES)('PUT of statuses on $kind', (kindCase) => {
  const { kind, flat, requiredAdapters } = kindCase
  const [adapter = ''] = requiredAdapters

  async function subject() {
    const { body, item } = await create(server, kindCase)
    const id: string = body.id
    return {
      id,
      item,
      put: (told?: Told, name = adapter) =>
        server.put(`${item}/statuses`, strictReport(name, told)),
      post: (told?: Told, name = adapter) =>
        server.post(`${item}/statuses`, strictReport(name, told)),
      conditions: async () => conditionsOf((await server.get(item)).body),
      statuses: async () => (await server.get(`${item}/statuses`)).body.items,
    }
  }

  describe('answers 201', () => {
    test('with the stored report, and recomputes the conditions', async () => {
      const { put, statuses, conditions } = await subject()
      for (const name of requiredAdapters) {
        const answer = await put({}, name)
        expect(answer).toMatchObject({ status: 201, body: { adapter: name } })
        expect(answer.headers.get(DISCARDED)).toBeNull()
        expect(await statuses()).toContainEqual(answer.body)
      }
      expect((await conditions()).get('Ready')).toMatchObject({ status: 'True' })
    })

    test('on the flat path too', async () => {
      const { id, statuses } = await subject()
      const answer = await server.put(`${flat}/${id}/statuses`, strictReport('x'))
      expect(answer.status).toBe(201)
      expect(await statuses()).toEqual([answer.body])
    })

    test('to the first Unknown, a repeated report, and an older time at a newer generation', async () => {
      const { put, item } = await subject()
      expect((await put({ available: 'Unknown' })).status).toBe(201)
      expect((await put()).status).toBe(201)
      expect((await put()).status).toBe(201)
      await server.patch(item, { spec: { size: 2 } })
      expect((await put({ generation: 2, ahead: -MINUTE })).status).toBe(201)
    })

    test('to a report after one that POST stored, and vice versa', async () => {
      const { put, post, statuses } = await subject()
      const posted = await post({ available: 'False' })
      const replaced = await put({ ahead: SECOND })
      expect(replaced.body.created_time).toBe(posted.body.created_time)
      expect(await statuses()).toEqual([replaced.body])
      const again = await post({ available: 'False', ahead: -99 * MINUTE })
      expect(again.status).toBe(201)
      expect(await statuses()).toEqual([again.body])
    })

    test('to an adapter that ran ahead by POST and returns', async () => {
      const { put, post, statuses } = await subject()
      expect((await post({ generation: 7 })).status).toBe(201)
      expect((await put()).status).toBe(201)
      expect(await statuses()).toMatchObject([{ observed_generation: 1 }])
    })
  })

  describe('answers 204 and writes nothing', () => {
    test.each<{ what: string; told: Told; earlier: Told | null; reason: string }>([
      {
        what: 'a generation above the resource',
        told: { generation: 3 },
        earlier: null,
        reason: 'future-generation',
      },
      {
        what: 'a generation above the resource in a report that is not valid either',
        told: { generation: 3, types: [], ahead: 99 * MINUTE },
        earlier: null,
        reason: 'future-generation',
      },
      {
        what: 'a generation below the stored one',
        told: { generation: 1 },
        earlier: { generation: 2 },
        reason: 'stale-generation',
      },
      {
        what: 'an older time at the same generation',
        told: { generation: 2, ahead: -1 },
        earlier: { generation: 2 },
        reason: 'stale-observed-time',
      },
      {
        what: 'an older time that is out of the window too',
        told: { generation: 2, ahead: -31 * MINUTE },
        earlier: { generation: 2 },
        reason: 'stale-observed-time',
      },
      {
        what: 'a later Unknown',
        told: { generation: 2, available: 'Unknown' },
        earlier: { generation: 2 },
        reason: 'unknown-after-report',
      },
    ])('to $what: $reason', async ({ told, earlier, reason }) => {
      const { id, item, put } = await subject()
      await server.patch(item, { spec: { size: 2 } })
      if (earlier !== null) expect((await put(earlier)).status).toBe(201)
      const [before, counted] = [await rowsOf(id), await discardedFor(reason)]
      const answer = await put(told)
      expect(answer).toMatchObject({ status: 204, text: '' })
      expect(answer.headers.get(DISCARDED)).toBe(reason)
      expect(await rowsOf(id)).toEqual(before)
      expect(await discardedFor(reason)).toBe(counted + 1)
    })

    test('also if POST stored the newer report', async () => {
      const { put, post } = await subject()
      await post({ ahead: MINUTE })
      expect((await put()).headers.get(DISCARDED)).toBe('stale-observed-time')
    })
  })

  describe('returns 400 VAL-000', () => {
    test.each([
      { ahead: 5 * MINUTE, status: 201 },
      { ahead: 5 * MINUTE + 1, status: 400 },
      { ahead: -30 * MINUTE, status: 201 },
      { ahead: -30 * MINUTE - 1, status: 400 },
    ])('to a time out of the window: $status where it is $ahead ms ahead', async (edge) => {
      const { put, statuses } = await subject()
      const answer = await put({ ahead: edge.ahead })
      expect(answer.status).toBe(edge.status)
      expect(await statuses()).toHaveLength(edge.status === 201 ? 1 : 0)
      if (edge.status === 201) return
      expect(answer.body.code).toBe('HYPERFLEET-VAL-000')
      expect(answer.body.errors).toMatchObject([{ field: 'observed_time', constraint: 'window' }])
    })

    test.each(['Available', 'Applied', 'Health'])('to conditions without %s', async (missing) => {
      const { put, post } = await subject()
      const types = ['Available', 'Applied', 'Health'].filter((type) => type !== missing)
      const answer = await put({ types })
      expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(answer.body.errors).toEqual([
        {
          field: 'conditions',
          message: `conditions must have one of type ${missing}`,
          constraint: 'contains',
        },
      ])
      expect((await post({ types })).status).toBe(201)
    })

    test('with all violations together, before a later Unknown is discarded', async () => {
      const { put } = await subject()
      await put({ ahead: -30 * MINUTE })
      const answer = await put({ available: 'Unknown', types: ['Available'], ahead: 6 * MINUTE })
      expect(answer.status).toBe(400)
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([
        'observed_time',
        'conditions',
        'conditions',
      ])
    })

    test("to violations of the document's rules, before all other checks", async () => {
      const { item } = await subject()
      const broken = { ...strictReport('', { generation: 9 }), observed_time: 'now' }
      for (const path of [`${item}/statuses`, `${flat}/nowhere/statuses`]) {
        const answer = await server.put(path, broken)
        expect(answer.status).toBe(400)
        expect(
          answer.body.errors.map((error: { field: string }) => error.field).toSorted(),
        ).toEqual(['adapter', 'observed_time'])
      }
      const twice = strictReport('x', { types: ['Available', 'Applied', 'Health', 'Health'] })
      expect(await server.put(`${item}/statuses`, twice)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'conditions[3].type' }] },
      })
    })
  })

  test('answers 404 NTF-001 for a missing resource, before the strict rules', async () => {
    const path = `${flat}/nowhere/statuses`
    const answer = await server.put(path, strictReport('x', { types: [], ahead: 9 * MINUTE }))
    expect(answer).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
    expect(answer.body.detail).toBe(`${kind} with id='nowhere' not found`)
  })

  describe.each(['PUT', 'POST'])('while it is being deleted, %s', (method) => {
    /** A resource being deleted, at generation 2, whose adapters were True at generation 1. */
    async function deleted() {
      const made = await subject()
      for (const name of requiredAdapters) await made.put({}, name)
      expect((await server.request('DELETE', made.item)).status).toBe(202)
      const send = (told: Told, name = adapter) =>
        server.request(method, `${made.item}/statuses`, strictReport(name, told))
      return { ...made, send }
    }

    const finalized = {
      available: 'Unknown',
      types: ['Available', 'Applied', 'Health', 'Finalized'],
      generation: 2,
    }

    test('stores an Unknown with Finalized, and keeps the previous Available', async () => {
      const { put, send, statuses, conditions } = await deleted()
      const before: Status = (await statuses()).find((each: Status) => each.adapter === adapter)
      const answer = await send(finalized)
      expect(answer).toMatchObject({ status: 201, body: { observed_generation: 2 } })
      const [available, , , last] = answer.body.conditions
      expect(available).toEqual(before.conditions[0])
      expect(last).toMatchObject({ type: 'Finalized', status: 'True' })
      expect(await statuses()).toContainEqual(answer.body)
      const type = `${adapter.charAt(0).toUpperCase()}${adapter.slice(1)}Successful`
      expect((await conditions()).get(type)).toMatchObject({
        status: 'True',
        observed_generation: 1,
      })
      expect((await put({ generation: 2 })).status).toBe(201)
    })

    test('discards an Unknown without Finalized', async () => {
      const { send } = await deleted()
      const answer = await send({ available: 'Unknown', generation: 2 })
      expect(answer.headers.get(DISCARDED)).toBe('unknown-after-report')
    })

    test('removes it with the last Finalized', async () => {
      const { item, send } = await deleted()
      for (const name of requiredAdapters) {
        expect((await server.get(item)).status).toBe(200)
        expect((await send(finalized, name)).status).toBe(201)
      }
      expect((await server.get(item)).status).toBe(404)
    })
  })

  test('discards an Unknown with Finalized on a live resource', async () => {
    const { put } = await subject()
    await put()
    const answer = await put({
      available: 'Unknown',
      types: ['Available', 'Applied', 'Health', 'Finalized'],
    })
    expect(answer.headers.get(DISCARDED)).toBe('unknown-after-report')
  })

  test('is documented with the reasons of its 204', async () => {
    const { paths } = (await server.get('/openapi')).body
    const singular = new RegExp(`^${flat}/\\{\\w+\\}/statuses$`)
    const path = Object.keys(paths).find((template) => singular.test(template)) ?? ''
    const reasonsOf = (method: string) =>
      paths[path][method].responses['204'].headers['X-HyperFleet-Discarded'].schema.enum
    expect(reasonsOf('put')).toEqual([
      'future-generation',
      'stale-generation',
      'stale-observed-time',
      'unknown-after-report',
    ])
    expect(reasonsOf('post')).toEqual(['stale-generation', 'unknown-after-report'])
  })
})
