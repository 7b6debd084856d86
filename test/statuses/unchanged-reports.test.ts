import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableReport } from './available-report.ts'
import { conditionsFollow } from './expected-conditions.ts'
import { conditionsOf } from '../support/fixtures.ts'
import { syncedCluster } from '../support/synced-cluster.ts'
import { statementsOf } from '../snapshots/snapshot-requests.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

const ADAPTERS = ['validator', 'dns', 'pullsecret', 'hypershift']

type Status = 'True' | 'False'

/** A report with a condition that the cluster's conditions do not depend on. */
function appliedReport(status: Status, message?: string) {
  const { conditions, ...report } = availableReport('dns', 1)
  const applied = { type: 'Applied', status, ...(message !== undefined && { message }) }
  return { ...report, conditions: [...conditions, applied] }
}

describe('a report that repeats the stored one', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: { REPORT_CACHE_BYTES: '1000' } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('takes one statement, alone and among others', async () => {
    const path = await syncedCluster(server, ADAPTERS)
    const send = (adapter: string, seq: number) =>
      server.post(`${path}/statuses`, availableReport(adapter, 1, 'True', seq))
    expect(await statementsOf(server, () => send('dns', 3))).toEqual(['refresh_reports'])
    const all = () => Promise.all(ADAPTERS.map((adapter) => send(adapter, 4)))
    expect(await statementsOf(server, all)).toEqual(['refresh_reports'])
    // A changed report in the same batch takes another path.
    const answers = await Promise.all([
      ...ADAPTERS.slice(1).map((adapter) => send(adapter, 5)),
      server.post(`${path}/statuses`, availableReport('validator', 1, 'False', 5)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const resource = await server.get(path)
    const { body } = await server.get(`${path}/statuses`)
    expect(body.items.map(({ data }: { data: object }) => data)).toEqual(
      ADAPTERS.map(() => ({ seq: 5 })),
    )
    expect(conditionsFollow(resource.body, body.items, ADAPTERS), resource.text).toBe(true)
  })

  it('is stored and returned like any other', async () => {
    const path = await syncedCluster(server, ADAPTERS)
    const before = await server.get(`${path}/statuses`)
    const report = {
      ...availableReport('dns', 1, 'True', 7),
      metadata: { job_name: 'again', unknown: 'left out' },
    }
    const answer = await server.post(`${path}/statuses`, report)
    const after = await server.get(`${path}/statuses`)
    const isDns = ({ adapter }: { adapter: string }) => adapter === 'dns'
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual(after.body.items.find(isDns))
    expect(answer.body).toEqual({
      ...before.body.items.find(isDns),
      data: { seq: 7 },
      metadata: { job_name: 'again' },
      last_report_time: answer.body.last_report_time,
    })
    const { last_report_time: earlier } = before.body.items.find(isDns)
    // Both reports can have the same millisecond.
    expect(answer.body.last_report_time > earlier).toBe(true)
  })

  it('is recognized whatever its messages contain', async () => {
    const path = await syncedCluster(server, ['dns'])
    const messages = ['', '","last_transition_time":"2026', '\\"\u2028 \u{1F600} \t', 'a"b']
    for (const message of messages) {
      const send = () => server.post(`${path}/statuses`, appliedReport('True', message))
      await send()
      await send()
      expect(await statementsOf(server, send)).toEqual(['refresh_reports'])
      expect((await server.get(`${path}/statuses`)).body.items[0].conditions).toMatchObject([
        {},
        { type: 'Applied', message },
      ])
    }
    const other = await server.post(`${path}/statuses`, appliedReport('True', 'another'))
    expect(other.body.conditions).toMatchObject([{}, { message: 'another' }])
  })

  it('differs if a condition differs that the resource does not depend on', async () => {
    const path = await syncedCluster(server, ['dns'])
    for (const status of ['True', 'False', 'False', 'True'] as const) {
      const answer = await server.post(`${path}/statuses`, appliedReport(status))
      expect((await server.get(`${path}/statuses`)).body.items).toEqual([answer.body])
      expect(answer.body.conditions).toMatchObject([{}, { type: 'Applied', status }])
    }
  })

  it('is stored last among repetitions that arrive together', async () => {
    const path = await syncedCluster(server, ['dns'])
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, seq) =>
        server.post(`${path}/statuses`, availableReport('dns', 1, 'True', seq)),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const next = () => server.post(`${path}/statuses`, availableReport('dns', 1, 'True', 10))
    expect(await statementsOf(server, next)).toEqual(['refresh_reports'])
    expect((await server.get(`${path}/statuses`)).body.items[0].data).toEqual({ seq: 10 })
  })

  it('is discarded if PUT sends it with an older time', async () => {
    const path = await syncedCluster(server, ['dns'])
    const now = Date.now()
    const put = (ms: number) => {
      const { conditions, ...report } = availableReport('dns', 1)
      const types = ['Applied', 'Health'].map((type) => ({ type, status: 'True' }))
      return server.request('PUT', `${path}/statuses`, {
        ...report,
        observed_time: new Date(ms).toISOString(),
        conditions: [...conditions, ...types],
      })
    }
    for (const seconds of [0, 1, 2]) expect((await put(now + seconds * 1000)).status).toBe(201)
    expect(await statementsOf(server, () => put(now + 3000))).toEqual(['refresh_reports'])
    const older = await put(now + 2999)
    expect(older.status).toBe(204)
    expect(older.headers.get('x-hyperfleet-discarded')).toBe('stale-observed-time')
    const items = (await server.get(`${path}/statuses`)).body.items
    expect(items).toHaveLength(1)
  })

  it('is still discarded if Unknown, and rejected below another kind', async () => {
    const path = await syncedCluster(server, ADAPTERS)
    const unknown = await server.post(`${path}/statuses`, availableReport('dns', 1, 'Unknown'))
    expect(unknown.status).toBe(204)
    const [, , id = ''] = path.split('/')
    const asNodePool = await server.post(
      `/clusters/${id}/nodepools/${id}/statuses`,
      availableReport('dns', 1),
    )
    expect(asNodePool.status).toBe(404)
  })

  it('is read first if the resource is being deleted', async () => {
    const path = await syncedCluster(server, ['dns'])
    expect((await server.request('DELETE', path)).status).toBe(202)
    const send = () => server.post(`${path}/statuses`, availableReport('dns', 1))
    expect((await statementsOf(server, send)).toSorted()).toContain('read_for_report')
    expect((await server.get(path)).body.deleted_time).toBeTypeOf('string')
  })
})

describe('two servers with reports on one resource', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  it('refresh it in turns, with one statement each', async () => {
    const path = await syncedCluster(pair.at(0), ADAPTERS)
    for (const [seq, side] of [1, 1, 0, 0, 1, 0].entries()) {
      const report = availableReport('dns', 1, 'True', seq)
      const send = async () =>
        expect((await pair.at(side).post(`${path}/statuses`, report)).status).toBe(201)
      const statements = await statementsOf(pair.at(side), send)
      if (seq > 0) expect(statements).toEqual(['refresh_reports'])
      const { body } = await pair.at(side + 1).get(`${path}/statuses`)
      const dns = body.items.find(({ adapter }: { adapter: string }) => adapter === 'dns')
      expect(dns.data).toEqual({ seq })
    }
  })

  it('compare a report with the stored one, not with their own last one', async () => {
    const path = await syncedCluster(pair.at(0), ['dns'])
    for (const status of ['True', 'True'] as const) {
      await pair.at(0).post(`${path}/statuses`, appliedReport(status))
    }
    // The version of the cluster does not change.
    await pair.at(1).post(`${path}/statuses`, appliedReport('False'))
    const answer = await pair.at(0).post(`${path}/statuses`, appliedReport('True'))
    expect((await pair.at(1).get(`${path}/statuses`)).body.items).toEqual([answer.body])
    expect(answer.body.conditions).toMatchObject([{}, { type: 'Applied', status: 'True' }])
  })

  it('keep the transition time of a status that flipped twice', async () => {
    const path = await syncedCluster(pair.at(0), ['dns'])
    const flip = await pair.at(1).post(`${path}/statuses`, availableReport('dns', 1, 'False'))
    expect(flip.status).toBe(201)
    const back = await pair.at(1).post(`${path}/statuses`, availableReport('dns', 1, 'True'))
    const again = await pair.at(0).post(`${path}/statuses`, availableReport('dns', 1, 'True'))
    expect(again.body.conditions).toEqual(back.body.conditions)
  })

  it('decide a report at the current generation of the resource', async () => {
    const path = await syncedCluster(pair.at(0), ADAPTERS)
    expect((await pair.at(1).patch(path, { spec: { new: true } })).body.generation).toBe(2)
    const statements = await statementsOf(pair.at(0), async () => {
      const late = await pair.at(0).post(`${path}/statuses`, availableReport('dns', 1))
      expect(late.status).toBe(201)
    })
    expect(statements.toSorted()).toEqual(['read_for_report', 'refresh_reports', 'touch_report'])
    const resource = await pair.at(0).get(path)
    const { body } = await pair.at(0).get(`${path}/statuses`)
    expect(conditionsFollow(resource.body, body.items, ADAPTERS), resource.text).toBe(true)
    const ready = conditionsOf(resource.body).get('Ready')
    expect(ready).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  it('return 404 after the other has removed it', async () => {
    const path = await syncedCluster(pair.at(0), ADAPTERS)
    expect((await pair.at(1).request('DELETE', path)).status).toBe(202)
    const forced = await pair.at(1).post(`${path}/force-delete`, { reason: 'for the test' })
    expect(forced.status, forced.text).toBe(204)
    const late = await pair.at(0).post(`${path}/statuses`, availableReport('dns', 1))
    expect(late.status).toBe(404)
  })
})
