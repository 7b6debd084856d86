import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGGREGATED_TYPES } from '../../src/store/model/condition.ts'
import {
  conditionsOf,
  create,
  creation,
  KIND_CASES,
  queryDatabase,
  report,
} from '../support/fixtures.ts'
import { proofTurns } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const DISCARDED = 'x-hyperfleet-discarded'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const available = (status: string) => ({ conditions: [{ type: 'Available', status }] })
const health = { conditions: [{ type: 'Health', status: 'True' }] }

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

describe.each(KIND_CASES)('report on $kind', (kindCase) => {
  const { kind, flat, requiredAdapters, accessible } = kindCase
  const [adapter = ''] = requiredAdapters

  /** A new resource, with functions that post and list its reports. */
  async function subject() {
    const { body, item } = await create(server, kindCase)
    const id: string = body.id
    return {
      id,
      item,
      post: (members: object, name = adapter) =>
        server.post(`${item}/statuses`, report(name, members)),
      conditions: async () => conditionsOf((await server.get(item)).body),
      get: async () => (await server.get(item)).body,
      statuses: async () => (await server.get(`${item}/statuses`)).body.items,
    }
  }

  describe('answers 201', () => {
    test('with the stored report, as in the list', async () => {
      const { item } = await create(server, kindCase)
      const answer = await server.post(`${item}/statuses`, {
        adapter: 'x',
        observed_generation: 1,
        observed_time: '2026-01-01T00:00:00Z',
        conditions: [
          { type: 'Available', status: 'True', reason: 'Works', message: 'It works' },
          { type: 'Health', status: 'Unknown' },
          { type: 'Applied', status: 'False', reason: null, message: null },
        ],
        data: { a: [1, { b: null }] },
        metadata: {
          job_name: 'job',
          job_namespace: 'ns',
          attempt: 2,
          started_time: '2026-01-01T00:00:00Z',
          completed_time: '2026-01-01T00:01:00Z',
          duration: '60s',
        },
      })
      const time = { last_transition_time: '2026-01-01T00:00:00Z' }
      expect(answer).toMatchObject({ status: 201 })
      expect(answer.body).toEqual({
        adapter: 'x',
        observed_generation: 1,
        conditions: [
          { type: 'Available', status: 'True', reason: 'Works', message: 'It works', ...time },
          { type: 'Health', status: 'Unknown', ...time },
          { type: 'Applied', status: 'False', ...time },
        ],
        data: { a: [1, { b: null }] },
        metadata: {
          job_name: 'job',
          job_namespace: 'ns',
          attempt: 2,
          started_time: '2026-01-01T00:00:00Z',
          completed_time: '2026-01-01T00:01:00Z',
          duration: '60s',
        },
        created_time: '2026-01-01T00:00:00.000000Z',
        last_report_time: '2026-01-01T00:00:00.000000Z',
      })
      const list = await server.get(`${item}/statuses`)
      expect(list.body).toEqual({
        kind: 'AdapterStatusList',
        resource_version: list.headers.get('X-Resource-Version'),
        page: 1,
        size: 1,
        total: 1,
        items: [answer.body],
      })
    })

    test('on the flat path too', async () => {
      const { id, statuses } = await subject()
      const answer = await server.post(`${flat}/${id}/statuses`, report('x'))
      expect(answer.status).toBe(201)
      expect(await statuses()).toEqual([answer.body])
      expect((await server.get(`${flat}/${id}/statuses`)).body.items).toEqual([answer.body])
    })

    test('to no conditions at all, data null and metadata null', async () => {
      const { post } = await subject()
      const answer = await post({ conditions: [], data: null, metadata: null })
      expect(answer).toMatchObject({ status: 201, body: { conditions: [], data: {} } })
    })

    test('to an adapter that is not required, whose report does not change aggregated conditions', async () => {
      const { post, conditions } = await subject()
      expect((await post({}, 'stranger')).status).toBe(201)
      const shown = await conditions()
      expect(shown.get('Available')).toMatchObject({ status: 'False', reason: 'AwaitingAdapters' })
      expect(shown.get('StrangerSuccessful')).toMatchObject({ status: 'True' })
    })

    test('to the first Available Unknown of an adapter, and leaves the conditions untouched', async () => {
      const { post, get, statuses } = await subject()
      const before = await get()
      const answer = await post(available('Unknown'))
      expect(answer.status).toBe(201)
      expect(await get()).toEqual(before)
      expect(await statuses()).toEqual([answer.body])
    })

    test('to no Available, while the last one stays current and exposed', async () => {
      const { post, conditions, statuses } = await subject()
      for (const name of requiredAdapters) await post({}, name)
      const before = await conditions()
      expect(before.get('Ready')).toMatchObject({ status: 'True' })
      const answer = await post({ ...health, observed_time: '2026-02-01T00:00:00Z' })
      expect(answer.status).toBe(201)
      const after = await conditions()
      for (const [type, condition] of before) {
        expect(after.get(type)).toEqual({ ...condition, last_updated_time: expect.any(String) })
      }
      const stored = (await statuses()).find(
        (status: { adapter: string }) => status.adapter === adapter,
      )
      expect(stored.conditions).toMatchObject([{ type: 'Health' }])
    })

    test('to True and False, and recomputes the conditions in the same commit', async () => {
      const { post, conditions, get } = await subject()
      const created = await get()
      for (const name of requiredAdapters) expect((await post({}, name)).status).toBe(201)
      const shown = await conditions()
      expect(shown.get('Available')).toMatchObject({
        status: 'True',
        reason: 'ResourceAvailable',
        message: accessible,
        observed_generation: 1,
        created_time: created.created_time,
      })
      expect(shown.get('Ready')).toMatchObject({
        status: 'True',
        reason: 'ResourceReady',
        message: 'All adapters report ready at current generation',
        observed_generation: 1,
      })
      expect((await post(available('False'))).status).toBe(201)
      const after = await conditions()
      expect(after.get('Available')).toMatchObject({
        status: 'False',
        reason: 'ResourceNotAvailable',
      })
      expect(after.get('Ready')).toMatchObject({ status: 'False', reason: 'ResourceNotReady' })
      for (const type of ['Available', 'Ready'])
        expect(after.get(type)?.['message']).toContain(adapter)
    })

    test('to a report that is ahead, which is not current until the resource has its generation', async () => {
      const { post, conditions, item } = await subject()
      const ahead = { observed_generation: 2 }
      for (const name of requiredAdapters) expect((await post(ahead, name)).status).toBe(201)
      expect((await conditions()).get('Available')).toMatchObject({
        status: 'False',
        observed_generation: 0,
      })
      await server.patch(item, { spec: { size: 2 } })
      expect((await conditions()).get('Ready')).toMatchObject({
        status: 'True',
        observed_generation: 2,
      })
    })

    test('to a report at the generation of the resource after one that ran ahead', async () => {
      const { post, statuses } = await subject()
      expect((await post({ observed_generation: 7 })).status).toBe(201)
      expect((await post({ observed_generation: 5 })).status).toBe(204)
      expect((await post({ observed_generation: 1 })).status).toBe(201)
      expect(await statuses()).toMatchObject([{ observed_generation: 1 }])
    })
  })

  describe('answers 204 and writes nothing', () => {
    test('to a generation lower than the stored one', async () => {
      const { id, post, item } = await subject()
      await server.patch(item, { spec: { size: 2 } })
      await post({ observed_generation: 2 })
      const before = await rowsOf(id)
      const answer = await post({ observed_generation: 1, ...available('False') })
      expect(answer).toMatchObject({ status: 204, text: '' })
      expect(answer.headers.get(DISCARDED)).toBe('stale-generation')
      expect(await rowsOf(id)).toEqual(before)
    })

    test.each([
      ['Available', available('True')],
      ['Unknown', available('Unknown')],
      ['other conditions', health],
    ])('to Available Unknown after a report of %s', async (_what, first) => {
      const { id, post } = await subject()
      expect((await post(first)).status).toBe(201)
      const before = await rowsOf(id)
      const answer = await post({ ...available('Unknown'), observed_generation: 1 })
      expect(answer).toMatchObject({ status: 204, text: '' })
      expect(answer.headers.get(DISCARDED)).toBe('unknown-after-report')
      expect(await rowsOf(id)).toEqual(before)
    })

    test('and other responses do not have that header', async () => {
      const { post } = await subject()
      expect((await post({})).headers.get(DISCARDED)).toBeNull()
    })
  })

  describe('answers 404 NTF-001', () => {
    test('to a missing resource', async () => {
      const answer = await server.post(`${flat}/nowhere/statuses`, report('x'))
      expect(answer).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
      expect(answer.body.detail).toBe(`${kind} with id='nowhere' not found`)
      expect(await server.get(`${flat}/nowhere/statuses`)).toMatchObject({ status: 404 })
    })

    test('only after the body has been validated', async () => {
      expect(await server.post(`${flat}/nowhere/statuses`, {})).toMatchObject({ status: 400 })
      expect(await server.get(`${flat}/nowhere/statuses?page=0`)).toMatchObject({ status: 400 })
    })
  })

  describe('answers 400', () => {
    test.each(
      proofTurns<[string, object, string]>(kindCase, [
        ['a missing adapter', { adapter: undefined }, 'adapter'],
        ['an empty adapter', { adapter: '' }, 'adapter'],
        ['an adapter of 256 characters', { adapter: 'x'.repeat(256) }, 'adapter'],
        ['an adapter that is a number', { adapter: 5 }, 'adapter'],
        ['a negative generation', { observed_generation: -1 }, 'observed_generation'],
        ['a generation that is a fraction', { observed_generation: 1.5 }, 'observed_generation'],
        [
          'a generation beyond int32',
          { observed_generation: 2_147_483_648 },
          'observed_generation',
        ],
        ['a generation in quotes', { observed_generation: '1' }, 'observed_generation'],
        ['a time that is none', { observed_time: 'yesterday' }, 'observed_time'],
        ['a time that is a number', { observed_time: 1_767_225_600 }, 'observed_time'],
        ['a date alone', { observed_time: '2026-01-01' }, 'observed_time'],
        ['a time without zone', { observed_time: '2026-01-01T00:00:00' }, 'observed_time'],
        ['a month that is none', { observed_time: '2026-13-01T00:00:00Z' }, 'observed_time'],
        ['a day that is none', { observed_time: '2026-02-30T00:00:00Z' }, 'observed_time'],
        ['an hour that is none', { observed_time: '2026-01-01T24:00:00Z' }, 'observed_time'],
        ['the year 0', { observed_time: '0000-01-01T00:00:00Z' }, 'observed_time'],
        [
          'the year 0 by its offset',
          { observed_time: '0001-01-01T00:00:00+01:00' },
          'observed_time',
        ],
        [
          'the year 10000 by its offset',
          { observed_time: '9999-12-31T23:59:59-01:00' },
          'observed_time',
        ],
        ['missing conditions', { conditions: undefined }, 'conditions'],
        ['null conditions', { conditions: null }, 'conditions'],
        ['conditions as an object', { conditions: {} }, 'conditions'],
        ['a condition that is null', { conditions: [null] }, 'conditions[0]'],
        ['a condition that is a string', { conditions: ['Available'] }, 'conditions[0]'],
        ['a condition without type', { conditions: [{ status: 'True' }] }, 'conditions[0].type'],
        [
          'a condition with an empty type',
          { conditions: [{ type: '', status: 'True' }] },
          'conditions[0].type',
        ],
        [
          'a condition without status',
          { conditions: [{ type: 'A', status: 'True' }, { type: 'B' }] },
          'conditions[1].status',
        ],
        [
          'a status in other case',
          { conditions: [{ type: 'A', status: 'true' }] },
          'conditions[0].status',
        ],
        [
          'a status that is a boolean',
          { conditions: [{ type: 'A', status: true }] },
          'conditions[0].status',
        ],
        [
          'a reason that is a number',
          { conditions: [{ type: 'A', status: 'True', reason: 5 }] },
          'conditions[0].reason',
        ],
        [
          'a message that is an object',
          { conditions: [{ type: 'A', status: 'True', message: {} }] },
          'conditions[0].message',
        ],
        [
          'a type that appears twice',
          { conditions: ['A', 'B', 'A'].map((type) => ({ type, status: 'True' })) },
          'conditions[2].type',
        ],
        ['data that is an array', { data: [] }, 'data'],
        ['data that is a string', { data: 'x' }, 'data'],
        ['metadata that is a string', { metadata: 'x' }, 'metadata'],
        [
          'metadata with a name that is a number',
          { metadata: { job_name: 5 } },
          'metadata.job_name',
        ],
        [
          'metadata with an attempt that is a string',
          { metadata: { attempt: '2' } },
          'metadata.attempt',
        ],
        [
          'metadata with a time that is none',
          { metadata: { started_time: 'now' } },
          'metadata.started_time',
        ],
        ['a NUL in the adapter', { adapter: 'a\0' }, 'adapter'],
        ['a NUL in data', { data: { a: ['\0'] } }, 'data.a[0]'],
        [
          'a NUL in a condition',
          { conditions: [{ type: 'A', status: 'True', reason: '\0' }] },
          'conditions[0].reason',
        ],
      ]),
    )('VAL-000 to %s', async (_what, members, field) => {
      const { id, post } = await subject()
      const before = await rowsOf(id)
      const answer = await post(members)
      expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      const fields = answer.body.errors.map((error: { field: string }) => error.field)
      expect([...new Set(fields)]).toEqual([field])
      expect(await rowsOf(id)).toEqual(before)
    })

    test('with all violations listed together', async () => {
      const { item } = await subject()
      const answer = await server.post(`${item}/statuses`, {
        observed_generation: -1,
        observed_time: '0000-01-01T00:00:00Z',
        conditions: [{ type: 'A' }, { type: 'A', status: 'True' }],
        data: 5,
      })
      expect(answer.status).toBe(400)
      expect(answer.body.errors.map((error: { field: string }) => error.field).toSorted()).toEqual([
        'adapter',
        'conditions[0].status',
        'conditions[1].type',
        'data',
        'observed_generation',
        'observed_time',
      ])
    })

    test('VAL-006 to a missing body or one that is not an object', async () => {
      const { item } = await subject()
      const path = `${item}/statuses`
      const json = { 'Content-Type': 'application/json' }
      for (const answer of [
        await server.request('POST', path),
        await server.request('POST', path, '[]', json),
      ]) {
        expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-006' } })
      }
    })
  })

  test('accepts adapter names of 255 characters of any kind', async () => {
    const { post, statuses } = await subject()
    const name = '\u{1f600}'.repeat(255)
    expect((await post({}, name)).status).toBe(201)
    expect(await statuses()).toMatchObject([{ adapter: name }])
  })

  test('drops unknown fields, also of metadata', async () => {
    const { post } = await subject()
    const answer = await post({
      created_time: 'x',
      unknown: 1,
      metadata: { job_name: 'job', attempt: null, secret: 'x', toString: 'x' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.metadata).toEqual({ job_name: 'job' })
    expect(answer.body).not.toHaveProperty('unknown')
  })

  test('returns data unchanged', async () => {
    const { item, statuses } = await subject()
    const data = '{"__proto__":{"a":1},"n":[1e21,0.1],"\u{1f600}":null}'
    const text = JSON.stringify(report('x')).replace('{"adapter"', `{"data":${data},"adapter"`)
    const answer = await server.post(`${item}/statuses`, text)
    expect(JSON.stringify(answer.body.data)).toBe(JSON.stringify(JSON.parse(data)))
    const [stored] = await statuses()
    expect(JSON.stringify(stored.data)).toBe(JSON.stringify(JSON.parse(data)))
  })

  test('replaces the previous report of the adapter', async () => {
    const { post, statuses } = await subject()
    await post({ data: { a: 1 }, metadata: { job_name: 'a' } })
    const { body } = await post({ ...available('False'), data: { b: 2 } })
    expect(body).not.toHaveProperty('metadata')
    expect(await statuses()).toEqual([body])
  })

  describe('times', () => {
    test.each(
      proofTurns(kindCase, [
        ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
        ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123456Z'],
        ['2026-01-02T03:04:05.1234567Z', '2026-01-02T03:04:05.123456Z'],
        ['2026-01-02T03:04:05.5+00:00', '2026-01-02T03:04:05.5Z'],
        ['2026-01-02T00:30:00.000001+01:00', '2026-01-01T23:30:00.000001Z'],
        ['2025-12-31T23:30:00-00:45', '2026-01-01T00:15:00Z'],
        ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
        ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
      ]),
    )('observed_time %s is kept as %s', async (observed, kept) => {
      const { post, statuses } = await subject()
      const answer = await post({ observed_time: observed })
      expect(answer.status).toBe(201)
      expect(answer.body.conditions[0].last_transition_time).toBe(kept)
      const [stored] = await statuses()
      expect(stored).toEqual(answer.body)
    })

    test('a first report has the earlier of observed_time and the clock', async () => {
      const { post, statuses } = await subject()
      const before = Date.now()
      const future = await post({ observed_time: '2999-01-01T00:00:00Z' }, 'future')
      const past = await post({ observed_time: '2020-01-01T00:00:00.5Z' }, 'past')
      expect(past.body).toMatchObject({
        created_time: '2020-01-01T00:00:00.500000Z',
        last_report_time: '2020-01-01T00:00:00.500000Z',
      })
      const { created_time: created, last_report_time: last } = future.body
      expect(created).toBe(last)
      expect(Date.parse(created)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(created)).toBeLessThanOrEqual(Date.now())
      expect(await statuses()).toEqual([future.body, past.body])
    })

    test('a later report has the clock and keeps created_time', async () => {
      const { post } = await subject()
      const first = await post({})
      const before = Date.now()
      const { body } = await post({ observed_time: '2026-03-01T00:00:00Z' })
      expect(body.created_time).toBe(first.body.created_time)
      expect(Date.parse(body.last_report_time)).toBeGreaterThanOrEqual(before)
    })

    test('last_transition_time stays while the status stays', async () => {
      const { post } = await subject()
      const transition = async (status: string, observed: string) =>
        (await post({ ...available(status), observed_time: observed })).body.conditions[0]
          .last_transition_time
      expect(await transition('True', '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00Z')
      expect(await transition('True', '2026-01-02T00:00:00Z')).toBe('2026-01-01T00:00:00Z')
      expect(await transition('False', '2026-01-03T00:00:00Z')).toBe('2026-01-03T00:00:00Z')
      expect(await transition('False', '2026-01-04T00:00:00Z')).toBe('2026-01-03T00:00:00Z')
    })

    test('a heartbeat changes neither version nor updated_time of the resource', async () => {
      const { id, post, get } = await subject()
      for (const name of requiredAdapters) await post({}, name)
      const [before] = await rowsOf(id)
      const shown = await get()
      for (const name of requiredAdapters) {
        expect((await post({ observed_time: '2026-05-01T00:00:00Z' }, name)).status).toBe(201)
      }
      const [after] = await rowsOf(id)
      expect(after).toMatchObject({ x: before?.['x'], version: before?.['version'] })
      expect((await get()).updated_time).toBe(shown.updated_time)
    })

    test('a report that changes conditions changes the version but not updated_time', async () => {
      const { id, post, get } = await subject()
      const [before] = await rowsOf(id)
      const created = await get()
      await post({})
      const [after] = await rowsOf(id)
      expect(Number(after?.['version'])).toBe(Number(before?.['version']) + 1)
      expect(await get()).toMatchObject({
        updated_time: created.updated_time,
        updated_by: created.updated_by,
        generation: 1,
      })
    })

    test('GET and lists show the exact last_updated_time after heartbeats', async () => {
      const { id, item, post, statuses } = await subject()
      for (const name of [...requiredAdapters, 'stranger']) await post({}, name)
      for (const name of [...requiredAdapters.slice(1), 'stranger']) await post({}, name)
      const reported = new Map<string, string>(
        (await statuses()).map((status: { adapter: string; last_report_time: string }) => [
          status.adapter,
          status.last_report_time,
        ]),
      )
      const oldest = [...reported]
        .filter(([name]) => name !== 'stranger')
        .map(([, time]) => time)
        .toSorted()[0]
      expect(oldest).toBe('2026-01-01T00:00:00.000000Z')
      const collection = item.slice(0, item.lastIndexOf('/'))
      const lists = [
        await server.get(`${flat}?search=id='${id}'`),
        await server.get(`${collection}?search=id='${id}'`),
      ]
      for (const body of [
        (await server.get(item)).body,
        ...lists.map((list) => list.body.items[0]),
      ]) {
        const shown = conditionsOf(body)
        expect(shown.get('Available')).toMatchObject({ status: 'True', last_updated_time: oldest })
        expect(shown.get('Ready')).toMatchObject({ last_updated_time: oldest })
        for (const [name, time] of reported) {
          const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Successful`
          expect(shown.get(type)).toMatchObject({ last_updated_time: time })
        }
      }
    })

    test('the transition of Available and Ready is the clock of the write that flips them', async () => {
      const { post, conditions, get } = await subject()
      const created = (await get()).created_time
      for (const name of requiredAdapters.slice(1)) await post({}, name)
      expect((await conditions()).get('Ready')).toMatchObject({ last_transition_time: created })
      const before = new Date().toISOString()
      await post({})
      const flipped = await conditions()
      const time = String(flipped.get('Ready')?.['last_transition_time'])
      expect(time >= before && time <= new Date().toISOString()).toBe(true)
      expect(flipped.get('Available')).toMatchObject({
        last_transition_time: time,
        created_time: created,
      })
      await post({ observed_time: '2026-06-01T00:00:00Z' })
      expect((await conditions()).get('Ready')).toMatchObject({ last_transition_time: time })
    })
  })

  describe('exposes', () => {
    test('one condition per adapter, sorted by type, after the aggregated ones', async () => {
      const { post, get } = await subject()
      const adapters = ['zeta', 'gcp-provisioner', 'alpha', '--b--c-', 'Upper', '\u00e9t\u00e9']
      for (const name of adapters) await post({}, name)
      await post(health, 'silent')
      await post(available('Unknown'), 'unsure')
      const types = (await get()).status.conditions.map(({ type }: { type: string }) => type)
      expect(types).toEqual([
        ...AGGREGATED_TYPES,
        'AlphaSuccessful',
        'BCSuccessful',
        'GcpProvisionerSuccessful',
        'UpperSuccessful',
        'ZetaSuccessful',
        '\u00c9t\u00e9Successful',
      ])
    })

    test('the Available of the adapter as it reported it', async () => {
      const { post, conditions } = await subject()
      const { body } = await post(
        {
          observed_time: '2026-01-05T00:00:00.000001Z',
          conditions: [
            { type: 'Available', status: 'False', reason: 'Broken', message: 'Out of quota' },
            { type: 'Health', status: 'True' },
          ],
        },
        'gcp-provisioner',
      )
      const shown = await conditions()
      expect(shown.get('GcpProvisionerSuccessful')).toEqual({
        type: 'GcpProvisionerSuccessful',
        status: 'False',
        reason: 'Broken',
        message: 'Out of quota',
        observed_generation: 1,
        created_time: body.created_time,
        last_updated_time: body.last_report_time,
        last_transition_time: '2026-01-05T00:00:00.000001Z',
      })
      expect(shown.has('Health')).toBe(false)
    })

    test('a required adapter before others of the same type, otherwise the first by name', async () => {
      const { post, conditions } = await subject()
      await post(available('False'), adapter.toUpperCase().charAt(0) + adapter.slice(1))
      await post({})
      await post({}, 'aB')
      await post(available('False'), 'a-b')
      const shown = await conditions()
      const type = `${adapter.charAt(0).toUpperCase()}${adapter.slice(1)}Successful`
      expect(shown.get(type)).toMatchObject({ status: 'True' })
      expect(shown.get('ABSuccessful')).toMatchObject({ status: 'False' })
    })
  })

  test.each(proofTurns(kindCase, [100]))(
    'accepts %d adapters, then answers 409 CNF-003 to others',
    async (limit) => {
      const { post, statuses, item } = await subject()
      const adapters = Array.from({ length: limit }, (_, index) => `adapter-${index}`)
      const answers = await Promise.all(adapters.map((name) => post({}, name)))
      expect(answers.filter(({ status }) => status !== 201)).toEqual([])
      const refused = await post({}, 'one-more')
      expect(refused).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-003' } })
      expect((await post(available('False'), 'adapter-99')).status).toBe(201)
      expect(await statuses()).toHaveLength(100)
      expect((await server.get(`${item}/statuses?pageSize=1000`)).body).toMatchObject({
        size: 100,
        total: 100,
      })
    },
  )
})

describe('concurrent reports', () => {
  test('through two servers are all stored and reflected', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `a${index}`)
    const env = { HYPERFLEET_CLUSTER_ADAPTERS: JSON.stringify(names) }
    await using first = await startTestServer({ env })
    await using second = await startTestServer({ env, databaseUrl: first.databaseUrl })
    const { body } = await first.post('/clusters', creation('Cluster'))
    const answers = await Promise.all(
      names.flatMap((name, index) => {
        const target = index % 2 === 0 ? first : second
        const path = `/clusters/${body.id}/statuses`
        return [target.post(path, report(name)), target.post(path, report(name))]
      }),
    )
    expect(answers.map(({ status }) => status).filter((status) => status !== 201)).toEqual([])
    const shown = conditionsOf((await second.get(`/clusters/${body.id}`)).body)
    expect(shown.get('Ready')).toMatchObject({ status: 'True' })
    expect(shown.size).toBe(AGGREGATED_TYPES.length + names.length)
  })
})

describe('required adapters', () => {
  test('come from configuration; without any, the aggregated conditions never change', async () => {
    const env = { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '["only"]' }
    await using server = await startTestServer({ env })
    const cluster = (await server.post('/clusters', creation('Cluster'))).body
    await server.post(`/clusters/${cluster.id}/statuses`, report('only'))
    const patched = (await server.patch(`/clusters/${cluster.id}`, { spec: {} })).body
    expect(patched.status.conditions.slice(0, 4)).toEqual(cluster.status.conditions)
    const pool = await server.post(`/clusters/${cluster.id}/nodepools`, creation('NodePool'))
    await server.post(`/nodepools/${pool.body.id}/statuses`, report('only'))
    const shown = conditionsOf((await server.get(`/nodepools/${pool.body.id}`)).body)
    expect(shown.get('Ready')).toMatchObject({ status: 'True' })
  })
})
