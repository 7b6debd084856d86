import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableReport } from '../statuses/available-report.ts'
import { conditionsFollow } from '../statuses/expected-conditions.ts'
import { proofSize } from '../support/proof-size.ts'
import type { TestResponse, TestServer } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

const ADAPTERS = Array.from({ length: 40 }, (_, index) => `adapter-${index}`)
const REQUIRED = ['validator', 'dns', 'pullsecret', 'hypershift']

let names = 0

async function createCluster(server: TestServer): Promise<string> {
  names += 1
  const { status, body } = await server.post('/clusters', clusterBody(`race-${names}`))
  expect(status).toBe(201)
  return body.id
}

function clusterBody(name: string) {
  return { kind: 'Cluster', name, spec: {} }
}

/** Reads the resource and its reports, and expects the conditions to follow from the reports. */
async function expectConsistent(pair: Pair, path: string, required?: readonly string[]) {
  const resource = await pair.at(0).get(path)
  const statuses = await pair.at(1).get(`${path}/statuses?pageSize=1000`)
  expect(conditionsFollow(resource.body, statuses.body.items, required), resource.text).toBe(true)
  return { resource: resource.body, statuses: statuses.body }
}

function conditionOf(resource: TestResponse['body'], type: string) {
  return resource.status.conditions.find((condition: { type: string }) => condition.type === type)
}

function statusesOf(responses: readonly TestResponse[]): readonly number[] {
  return [...new Set(responses.map(({ status }) => status))].sort((a, b) => a - b)
}

describe('concurrent reports of forty adapters through two servers', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair({ HYPERFLEET_CLUSTER_ADAPTERS: JSON.stringify(ADAPTERS) })
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  const rounds = Array.from({ length: proofSize(10) }, (_, round) => round)

  it.each(rounds)('are all stored and all reflected in the conditions (round %i)', async () => {
    const path = `/clusters/${await createCluster(pair.at(0))}`
    const responses = await Promise.all(
      ADAPTERS.map((adapter, index) =>
        pair.at(index).post(`${path}/statuses`, availableReport(adapter, 1)),
      ),
    )
    expect(statusesOf(responses)).toEqual([201])
    const { resource, statuses } = await expectConsistent(pair, path, ADAPTERS)
    expect(statuses.total).toBe(ADAPTERS.length)
    expect(conditionOf(resource, 'Ready').status).toBe('True')
    expect(conditionOf(resource, 'Available').status).toBe('True')
    expect(resource.status.conditions).toHaveLength(4 + ADAPTERS.length)
  })
})

describe('two servers on one database', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  it('store every report and count every PATCH while both arrive', async () => {
    const path = `/clusters/${await createCluster(pair.at(0))}`
    let generation = 1
    const patching = [0, 1].map(async (side) => {
      for (let round = 0; round < 12; round += 1) {
        const response = await pair.at(side).patch(path, { spec: { side, round } })
        expect(response.status, response.text).toBe(200)
        generation = Math.max(generation, response.body.generation)
      }
    })
    const acknowledged = new Map<string, number>()
    const reporting = REQUIRED.map(async (adapter, index) => {
      for (let seq = 0; seq < 20; seq += 1) {
        const report = availableReport(adapter, generation, seq % 3 === 0 ? 'False' : 'True', seq)
        const response = await pair.at(index + seq).post(`${path}/statuses`, report)
        expect(response.status, response.text).toBe(201)
        acknowledged.set(adapter, seq)
      }
    })
    await Promise.all([...patching, ...reporting])
    const { resource, statuses } = await expectConsistent(pair, path)
    expect(resource.generation).toBe(1 + 2 * 12)
    for (const { adapter, data } of statuses.items) expect(data.seq).toBe(acknowledged.get(adapter))
    const rows = await pair.query('select revision from adapter_statuses where resource_id = $1', [
      resource.id,
    ])
    expect(rows.rows).toEqual(REQUIRED.map(() => ({ revision: 20 })))
  })

  it('become Ready at the last generation once every adapter has reported it', async () => {
    const path = `/clusters/${await createCluster(pair.at(0))}`
    await Promise.all([0, 1, 2, 3].map((round) => pair.at(round).patch(path, { spec: { round } })))
    const { body } = await pair.at(0).get(path)
    await Promise.all(
      REQUIRED.map((adapter, index) =>
        pair.at(index).post(`${path}/statuses`, availableReport(adapter, body.generation)),
      ),
    )
    const { resource } = await expectConsistent(pair, path)
    expect(resource.generation).toBe(5)
    expect(conditionOf(resource, 'Ready')).toMatchObject({ status: 'True', observed_generation: 5 })
  })

  it('store every report of one adapter that reports through both servers concurrently', async () => {
    const path = `/clusters/${await createCluster(pair.at(0))}`
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, seq) => {
        const report = availableReport('dns', 1, seq % 2 === 0 ? 'True' : 'False', seq)
        return pair.at(seq).post(`${path}/statuses`, report)
      }),
    )
    expect(statusesOf(responses)).toEqual([201])
    const { resource, statuses } = await expectConsistent(pair, path)
    expect(statuses.total).toBe(1)
    expect(conditionOf(resource, 'DnsSuccessful').status).toBe(
      statuses.items[0].data.seq % 2 === 0 ? 'True' : 'False',
    )
    const rows = await pair.query('select revision from adapter_statuses where resource_id = $1', [
      resource.id,
    ])
    expect(rows.rows).toEqual([{ revision: 40 }])
  })

  it('keep the conditions correct when heartbeats and changed statuses arrive together', async () => {
    const path = `/clusters/${await createCluster(pair.at(0))}`
    const send = (adapter: string, seq: number, status: 'True' | 'False') =>
      pair.at(seq).post(`${path}/statuses`, availableReport(adapter, 1, status, seq))
    await Promise.all(REQUIRED.map((adapter, seq) => send(adapter, seq, 'True')))
    const rounds = Array.from({ length: 25 }, (_, seq) => seq)
    const responses = await Promise.all(
      rounds.flatMap((seq) => [
        send('validator', seq, 'True'),
        send('pullsecret', seq, 'True'),
        send('dns', seq, seq % 2 === 0 ? 'False' : 'True'),
        send('hypershift', seq, seq % 3 === 0 ? 'False' : 'True'),
      ]),
    )
    expect(statusesOf(responses)).toEqual([201])
    await expectConsistent(pair, path)
  })

  it('reflect both of two adapters that report at the same time', async () => {
    const paths = await Promise.all(
      Array.from(
        { length: proofSize(80) },
        async (_, index) => `/clusters/${await createCluster(pair.at(index))}`,
      ),
    )
    const sent = paths.flatMap((path) =>
      ['dns', 'validator'].map((adapter, side) =>
        pair.at(side).post(`${path}/statuses`, availableReport(adapter, 1)),
      ),
    )
    expect(statusesOf(await Promise.all(sent))).toEqual([201])
    for (const path of paths) {
      const { resource } = await expectConsistent(pair, path)
      expect(resource.status.conditions).toHaveLength(6)
    }
  })

  it('never let a heartbeat revert a changed status of the same adapter', async () => {
    const paths = await Promise.all(
      Array.from(
        { length: proofSize(80) },
        async (_, index) => `/clusters/${await createCluster(pair.at(index))}`,
      ),
    )
    const send = (path: string, side: number, status: 'True' | 'False') =>
      pair.at(side).post(`${path}/statuses`, availableReport('dns', 1, status))
    await Promise.all(paths.map((path) => send(path, 0, 'True')))
    await Promise.all(paths.flatMap((path) => [send(path, 0, 'True'), send(path, 1, 'False')]))
    for (const path of paths) await expectConsistent(pair, path)
  })

  it('distinguish heartbeats from changes after several identical rounds', async () => {
    const clusters = Array.from({ length: 8 }, (_, index) => createCluster(pair.at(index)))
    const paths = (await Promise.all(clusters)).map((id) => `/clusters/${id}`)
    const all = async (seq: number, statusOf: (index: number) => 'True' | 'False') => {
      const sent = paths.flatMap((path, index) =>
        REQUIRED.map((adapter) => {
          const body = availableReport(adapter, 1, statusOf(index), seq)
          // All reports go to the first server.
          return pair.at(0).post(`${path}/statuses`, body)
        }),
      )
      expect(statusesOf(await Promise.all(sent))).toEqual([201])
    }
    for (const seq of [0, 1, 2, 3]) await all(seq, () => 'True')
    // Heartbeats correct conditions that another writer got wrong.
    await pair.query(
      `update resources set version = version + 1,
         conditions = replace(conditions::text, '"True"', '"False"')::json
       where id = any($1)`,
      [paths.map((path) => path.slice('/clusters/'.length))],
    )
    await all(4, () => 'True')
    for (const path of paths) await expectConsistent(pair, path, REQUIRED)
    await Promise.all(paths.slice(4).map((path) => pair.at(1).patch(path, { spec: { new: 1 } })))
    await all(5, (index) => (index % 2 === 0 ? 'True' : 'False'))
    for (const [index, path] of paths.entries()) {
      const { resource, statuses } = await expectConsistent(pair, path, REQUIRED)
      const isReady = index < 4 && index % 2 === 0
      expect(conditionOf(resource, 'Ready').status).toBe(isReady ? 'True' : 'False')
      expect(statuses.items.map(({ data }: { data: object }) => data)).toEqual(
        REQUIRED.map(() => ({ seq: 5 })),
      )
    }
  })

  it('keep the version of a resource when heartbeats arrive', async () => {
    const id = await createCluster(pair.at(0))
    const send = (seq: number) =>
      pair.at(seq).post(`/clusters/${id}/statuses`, availableReport('dns', 1, 'True', seq))
    await send(0)
    const before = await pair.query('select version, updated_time from resources where id = $1', [
      id,
    ])
    const responses = await Promise.all(Array.from({ length: 20 }, (_, seq) => send(seq)))
    expect(statusesOf(responses)).toEqual([201])
    const after = await pair.query('select version, updated_time from resources where id = $1', [
      id,
    ])
    expect(after.rows).toEqual(before.rows)
  })

  it('create a name once for concurrent requests with the same name', async () => {
    for (let round = 0; round < proofSize(20); round += 1) {
      const body = clusterBody(`wanted-${round}`)
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) => pair.at(index).post('/clusters', body)),
      )
      const rejected = responses.filter(({ status }) => status !== 201)
      expect(rejected).toHaveLength(7)
      for (const { status, body: problem } of rejected) {
        expect(status).toBe(409)
        expect(problem).toMatchObject({
          code: 'HYPERFLEET-CNF-001',
          detail: expect.stringContaining('This Cluster already exists'),
        })
      }
    }
  })

  it('create node pools of one cluster concurrently while the cluster changes', async () => {
    const path = `/clusters/${await createCluster(pair.at(0))}`
    const pools = Array.from({ length: 40 }, (_, index) =>
      pair.at(index).post(`${path}/nodepools`, poolBody(`pool-${index}`)),
    )
    const duplicates = [0, 1].map((side) =>
      pair.at(side).post(`${path}/nodepools`, poolBody('twice')),
    )
    const reports = REQUIRED.map((adapter, index) =>
      pair.at(index).post(`${path}/statuses`, availableReport(adapter, 1)),
    )
    const patches = [0, 1].map((side) => pair.at(side).patch(path, { spec: { side } }))
    expect(statusesOf(await Promise.all([...pools, ...reports]))).toEqual([201])
    expect(statusesOf(await Promise.all(duplicates))).toEqual([201, 409])
    expect(statusesOf(await Promise.all(patches))).toEqual([200])
    const list = await pair.at(1).get(`${path}/nodepools?pageSize=100`)
    expect(list.body.total).toBe(41)
  })

  it('return every cluster on exactly one page while other clusters are created', async () => {
    const before = await pair.at(0).get('/clusters?pageSize=1000&fields=id')
    const existing: readonly string[] = before.body.items.map((item: { id: string }) => item.id)
    const creating = Promise.all(
      Array.from({ length: 20 }, (_, index) => createCluster(pair.at(index))),
    )
    const seen: string[] = []
    for (let page = 1; page <= Math.ceil((existing.length + 20) / 5); page += 1) {
      const { body } = await pair
        .at(page)
        .get(`/clusters?pageSize=5&page=${page}&order=asc&fields=id`)
      seen.push(...body.items.map((item: { id: string }) => item.id))
    }
    await creating
    for (const id of existing) expect(seen.filter((other) => other === id)).toHaveLength(1)
  })

  it('cause no deadlock', async () => {
    const { rows } = await pair.query(
      'select deadlocks::integer from pg_stat_database where datname = current_database()',
    )
    expect(rows).toEqual([{ deadlocks: 0 }])
  })
})

function poolBody(name: string) {
  return { kind: 'NodePool', name, spec: {} }
}
