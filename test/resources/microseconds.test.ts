import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PreciseDate } from '../../src/lib/precise-date.ts'
import { conditionsOf, create, creation, KIND_CASES, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const NOON = Date.parse('2026-03-01T12:00:00.123Z')

let server: TestServer
let microseconds = 100
/** Every call is one microsecond later, all in one millisecond. */
const clock = () => new PreciseDate(NOON, (microseconds = (microseconds + 1) % 1000))

beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server[Symbol.asyncDispose]())

const MICROSECONDS = /^2026-03-01T12:00:00\.123\d{3}Z$/
const search = (text: string) => `search=${encodeURIComponent(text)}`

describe.each(KIND_CASES)('the times of a $kind', (kindCase) => {
  test('are one clock value per write, equal in all responses', async () => {
    const { body, item, collection } = await create(server, kindCase)
    const time: string = body.created_time
    expect(time).toMatch(MICROSECONDS)
    expect(body.updated_time).toBe(time)
    for (const condition of body.status.conditions) {
      const { created_time, last_updated_time, last_transition_time } = condition
      expect([created_time, last_updated_time, last_transition_time]).toEqual([time, time, time])
    }
    expect((await server.get(item)).body).toEqual(body)
    const listed = await server.get(`${collection}?${search(`id='${body.id}'`)}`)
    expect(listed.body.items).toEqual([body])

    const patched = await server.patch(item, { spec: { size: 2 } })
    expect(patched.body.created_time).toBe(time)
    expect(patched.body.updated_time > time).toBe(true)
    expect((await server.get(item)).body).toEqual(patched.body)
    const [first] = patched.body.status.conditions
    expect(first.created_time).toBe(time)
  })

  test('of a report are those of its write, and its observation keeps its microseconds', async () => {
    const { item } = await create(server, kindCase)
    const observed = '2026-01-01T00:00:00.000007Z'
    const sent = report('validator', { observed_time: observed })
    const { body: stored } = await server.post(`${item}/statuses`, sent)
    expect(stored.conditions[0].last_transition_time).toBe(observed)
    expect([stored.created_time, stored.last_report_time]).toEqual([observed, observed])
    const { body: again } = await server.post(`${item}/statuses`, sent)
    expect(again.created_time).toBe(observed)
    expect(again.last_report_time).toMatch(MICROSECONDS)
    expect((await server.get(`${item}/statuses`)).body.items).toEqual([again])
    const shown = conditionsOf((await server.get(item)).body)
    expect(shown.get('ValidatorSuccessful')).toMatchObject({
      created_time: observed,
      last_updated_time: again.last_report_time,
    })
  })

  test('change with a heartbeat, but neither version nor ETag does', async () => {
    const { item } = await create(server, kindCase)
    await server.post(`${item}/statuses`, report('validator'))
    const before = await server.get(item)
    await server.post(`${item}/statuses`, report('validator'))
    const after = await server.get(item)
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
    const times = [before, after].map(
      ({ body }) => conditionsOf(body).get('ValidatorSuccessful')?.['last_updated_time'],
    )
    expect(times[1]).toMatch(MICROSECONDS)
    expect(times[0]).not.toBe(times[1])
    expect({ ...after.body, status: null }).toEqual({ ...before.body, status: null })
  })

  test('order and select resources of one millisecond', async () => {
    const { collection, ...first } = await create(server, kindCase)
    const { body: second } = await create(server, kindCase, {}, collection)
    const both = `id in ('${first.body.id}', '${second.id}')`
    const found = async (text: string, order = 'orderBy=created_time') => {
      const { body } = await server.get(`${collection}?${order}&${search(`${both} and (${text})`)}`)
      return body.items.map(({ id }: { id: string }) => id)
    }
    const ids = [first.body.id, second.id]
    expect(await found('generation > 0')).toEqual(ids)
    expect(await found('generation > 0', 'orderBy=created_time%20desc')).toEqual(ids.toReversed())
    const time: string = second.created_time
    const nanosecondLater = time.replace('Z', '001Z')
    expect(await found(`created_time = '${time}'`)).toEqual([second.id])
    expect(await found(`created_time < '${time}'`)).toEqual([first.body.id])
    expect(await found(`created_time = '${nanosecondLater}'`)).toEqual([])
    expect(await found(`created_time != '${nanosecondLater}'`)).toEqual(ids)
    expect(await found(`created_time < '${nanosecondLater}'`)).toEqual(ids)
    expect(await found(`created_time > '${nanosecondLater}'`)).toEqual([])
    const condition = 'status.conditions.Available.last_transition_time'
    expect(await found(`${condition} = '${time}'`)).toEqual([second.id])
  })
})

test('the history names the adapter whose report changed the conditions', async () => {
  const { body } = await server.post('/clusters', creation('Cluster'))
  const item = `/clusters/${body.id}`
  await server.post(`${item}/statuses`, report('dns', { observed_time: null }))
  const newest = async () => (await server.get(`${item}/history`)).body.items[0]
  await expect.poll(newest).toMatchObject({ type: 'reported', by: 'dns' })
})
