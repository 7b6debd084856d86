import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableReport } from './available-report.ts'
import { conditionsFollow } from './expected-conditions.ts'
import { conditionsOf } from '../support/fixtures.ts'
import { clusterIn } from '../support/known-clusters.ts'
import { statementsOf } from '../snapshots/snapshot-requests.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

const ADAPTERS = ['validator', 'dns', 'pullsecret', 'hypershift']

/** A report with a condition that the cluster's own do not follow from. */
function appliedReport(status: 'True' | 'False') {
  const { conditions, ...report } = availableReport('dns', 1)
  return { ...report, conditions: [...conditions, { type: 'Applied', status }] }
}

describe('a report that repeats what the server stored last', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('takes one statement, alone and among others', async () => {
    const path = await clusterIn(server, ADAPTERS)
    const send = (adapter: string, seq: number) =>
      server.post(`${path}/statuses`, availableReport(adapter, 1, 'True', seq))
    expect(await statementsOf(server, () => send('dns', 3))).toEqual(['touch_reports'])
    const all = () => Promise.all(ADAPTERS.map((adapter) => send(adapter, 4)))
    expect(await statementsOf(server, all)).toEqual(['touch_reports'])
    // One that says something new goes its way beside them.
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

  it('is stored and answered as any other', async () => {
    const path = await clusterIn(server, ADAPTERS)
    const before = await server.get(`${path}/statuses`)
    const report = {
      ...availableReport('dns', 1, 'True', 7),
      metadata: { job_name: 'again', unknown: 'left out' },
    }
    const answer = await server.post(`${path}/statuses`, report)
    const after = await server.get(`${path}/statuses`)
    const ofDns = ({ adapter }: { adapter: string }) => adapter === 'dns'
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual(after.body.items.find(ofDns))
    expect(answer.body).toEqual({
      ...before.body.items.find(ofDns),
      data: { seq: 7 },
      metadata: { job_name: 'again' },
      last_report_time: answer.body.last_report_time,
    })
    const { last_report_time: earlier } = before.body.items.find(ofDns)
    expect(Date.parse(answer.body.last_report_time)).toBeGreaterThan(Date.parse(earlier))
  })

  it("is none where a condition differs that is its row's alone", async () => {
    const path = await clusterIn(server, ['dns'])
    for (const status of ['True', 'False', 'False', 'True'] as const) {
      const answer = await server.post(`${path}/statuses`, appliedReport(status))
      expect((await server.get(`${path}/statuses`)).body.items).toEqual([answer.body])
      expect(answer.body.conditions).toMatchObject([{}, { type: 'Applied', status }])
    }
  })

  it('counts each of several that come together', async () => {
    const path = await clusterIn(server, ['dns'])
    const seqs = Array.from({ length: 10 }, (_, seq) => seq)
    const task = () =>
      Promise.all(
        seqs.map((seq) => server.post(`${path}/statuses`, availableReport('dns', 1, 'True', seq))),
      )
    expect(await statementsOf(server, task)).toEqual(['touch_reports'])
    expect((await server.get(`${path}/statuses`)).body.items[0].data).toEqual({ seq: 9 })
    // The next one finds the row as it is remembered.
    const next = () => server.post(`${path}/statuses`, availableReport('dns', 1, 'True', 10))
    expect(await statementsOf(server, next)).toEqual(['touch_reports'])
  })

  it('is discarded where it tells nothing, and refused elsewhere, as without memory', async () => {
    const path = await clusterIn(server, ADAPTERS)
    const unknown = await server.post(`${path}/statuses`, availableReport('dns', 1, 'Unknown'))
    expect(unknown.status).toBe(204)
    const [, , id = ''] = path.split('/')
    const asNodePool = await server.post(
      `/clusters/${id}/nodepools/${id}/statuses`,
      availableReport('dns', 1),
    )
    expect(asNodePool.status).toBe(404)
  })

  it('is read first where the resource is being deleted', async () => {
    const path = await clusterIn(server, ['dns'])
    expect((await server.request('DELETE', path)).status).toBe(202)
    const send = () => server.post(`${path}/statuses`, availableReport('dns', 1))
    for (let turn = 0; turn < 2; turn += 1) await send()
    expect(await statementsOf(server, send)).not.toContain('touch_reports')
  })

  it('is read first by a server that is to remember nothing', async () => {
    await using forgetful = await startTestServer({ env: { REPORT_CACHE_BYTES: '0' } })
    const path = await clusterIn(forgetful, ['dns'])
    const task = () => forgetful.post(`${path}/statuses`, availableReport('dns', 1))
    expect((await statementsOf(forgetful, task)).toSorted()).toEqual([
      'read_for_report',
      'touch_report',
    ])
  })
})

describe('a server that remembers what another one has changed', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  it('stores a report on a row that was written meanwhile', async () => {
    const path = await clusterIn(pair.at(0), ADAPTERS)
    for (const [seq, side] of [1, 0, 0, 1, 1, 0].entries()) {
      const report = availableReport('dns', 1, 'True', seq)
      expect((await pair.at(side).post(`${path}/statuses`, report)).status).toBe(201)
      const { body } = await pair.at(side + 1).get(`${path}/statuses`)
      const dns = body.items.find(({ adapter }: { adapter: string }) => adapter === 'dns')
      expect(dns.data).toEqual({ seq })
    }
  })

  it('stores what differs from the row as it is now', async () => {
    const path = await clusterIn(pair.at(0), ['dns'])
    for (const status of ['True', 'True'] as const) {
      await pair.at(0).post(`${path}/statuses`, appliedReport(status))
    }
    // The conditions of the cluster stay as they are: its version does not move.
    await pair.at(1).post(`${path}/statuses`, appliedReport('False'))
    const answer = await pair.at(0).post(`${path}/statuses`, appliedReport('True'))
    expect((await pair.at(1).get(`${path}/statuses`)).body.items).toEqual([answer.body])
    expect(answer.body.conditions).toMatchObject([{}, { type: 'Applied', status: 'True' }])
  })

  it('keeps the transition time of a status that came and went meanwhile', async () => {
    const path = await clusterIn(pair.at(0), ['dns'])
    const flip = await pair.at(1).post(`${path}/statuses`, availableReport('dns', 1, 'False'))
    expect(flip.status).toBe(201)
    const back = await pair.at(1).post(`${path}/statuses`, availableReport('dns', 1, 'True'))
    const again = await pair.at(0).post(`${path}/statuses`, availableReport('dns', 1, 'True'))
    expect(again.body.conditions).toEqual(back.body.conditions)
  })

  it('judges a report at the generation that the resource has now', async () => {
    const path = await clusterIn(pair.at(0), ADAPTERS)
    expect((await pair.at(1).patch(path, { spec: { new: true } })).body.generation).toBe(2)
    const statements = await statementsOf(pair.at(0), async () => {
      const late = await pair.at(0).post(`${path}/statuses`, availableReport('dns', 1))
      expect(late.status).toBe(201)
    })
    expect(statements.toSorted()).toEqual(['read_for_report', 'touch_report', 'touch_reports'])
    const resource = await pair.at(0).get(path)
    const { body } = await pair.at(0).get(`${path}/statuses`)
    expect(conditionsFollow(resource.body, body.items, ADAPTERS), resource.text).toBe(true)
    const ready = conditionsOf(resource.body).get('Ready')
    expect(ready).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  it('knows no resource that is gone', async () => {
    const path = await clusterIn(pair.at(0), ADAPTERS)
    expect((await pair.at(1).request('DELETE', path)).status).toBe(202)
    const forced = await pair.at(1).post(`${path}/force-delete`, { reason: 'for the test' })
    expect(forced.status, forced.text).toBe(204)
    const late = await pair.at(0).post(`${path}/statuses`, availableReport('dns', 1))
    expect(late.status).toBe(404)
  })
})

it('a server reads first for a while where another one has changed much', async () => {
  await using pair = await startPair()
  const paths: string[] = []
  for (let turn = 0; turn < 16; turn += 1) paths.push(await clusterIn(pair.at(0), ADAPTERS))
  const all = async (side: number) => {
    const answers = await Promise.all(
      paths.flatMap((path) =>
        ADAPTERS.map((adapter) =>
          pair.at(side).post(`${path}/statuses`, availableReport(adapter, 1)),
        ),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  }
  expect(await statementsOf(pair.at(0), () => all(0))).toEqual(['touch_reports'])
  await all(1)
  expect(await statementsOf(pair.at(0), () => all(0))).toContain('touch_reports')
  expect(await statementsOf(pair.at(0), () => all(0))).not.toContain('touch_reports')
})
