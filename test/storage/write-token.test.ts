import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseWriteToken } from '../../src/store/feed/write-token.ts'
import { must } from '../../src/lib/assert.ts'
import { newName } from '../support/fixtures.ts'
import type { TestResponse } from '../support/test-server.ts'
import { type Pair, startPair } from './two-servers.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const ROUNDS = 30

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair[Symbol.asyncDispose]())

function tokenOf({ headers }: TestResponse): string {
  return must(headers.get('x-write-token'), 'the header X-Write-Token')
}

function createCluster(server = pair.servers[0]): Promise<TestResponse> {
  return server.post('/clusters', { kind: 'Cluster', name: newName(), spec: { n: 0 } })
}

const REPORT = {
  adapter: 'dns',
  observed_generation: 1,
  conditions: [{ type: 'Available', status: 'True' }],
}

const STRICT = ['Available', 'Applied', 'Health'].map((type) => ({ type, status: 'True' }))

describe('the token of a write', () => {
  test('makes snapshots include the write, on the same server and on another one', async () => {
    const { body } = await createCluster()
    for (const server of pair.servers) await server.get(`/clusters/${body.id}/snapshot?warm=true`)
    const seen: number[][] = []
    for (let n = 1; n <= ROUNDS; n += 1) {
      const written = await pair.at(n).patch(`/clusters/${body.id}`, { spec: { n } })
      const path = `/clusters/${body.id}/snapshot?minResourceVersion=${tokenOf(written)}`
      const answers = await Promise.all(pair.servers.map((server) => server.get(path)))
      seen.push(answers.map((answer) => answer.body.resources[0].items[0].spec.n))
    }
    expect(seen).toEqual(Array.from({ length: ROUNDS }, (_, index) => [index + 1, index + 1]))
  })

  test('is part of the response to every write', async () => {
    const created = await createCluster()
    const item = `/clusters/${created.body.id}`
    const key = { ...JSON_TYPE, 'Idempotency-Key': newName() }
    const once = { kind: 'Cluster', name: newName(), spec: {} }
    const [server] = pair.servers
    const writes: [number, () => Promise<TestResponse>][] = [
      [201, () => server.request('POST', '/clusters', once, key)],
      [201, () => server.request('POST', '/clusters', once, key)],
      [200, () => server.patch(item, { labels: { a: 'b' } })],
      [200, () => server.patch(item, { labels: { a: 'b' } })],
      [201, () => server.post(`${item}/statuses`, REPORT)],
      [201, () => server.post(`${item}/statuses`, REPORT)],
      [201, () => server.put(`${item}/statuses`, { ...REPORT, conditions: STRICT })],
      [204, () => server.post(`${item}/statuses`, { ...REPORT, observed_generation: 0 })],
      [202, () => server.request('DELETE', item)],
      [204, () => server.post(`${item}/force-delete`, { reason: 'test' })],
    ]
    const tokens = [tokenOf(created)]
    for (const [status, write] of writes) {
      const answer = await write()
      expect(answer.status, answer.text).toBe(status)
      tokens.push(tokenOf(answer))
    }
    expect(new Set(tokens).size).toBe(tokens.length)
    const last = await pair.at(1).get(`${item}/snapshot?minResourceVersion=${tokens.at(-1)}`)
    expect(last.status).toBe(404)
  })

  test('is not part of the response to a dry run, a read or a failure', async () => {
    const { body } = await createCluster()
    const answers = await Promise.all([
      pair.at(0).patch(`/clusters/${body.id}?dryRun=All`, { labels: { a: 'b' } }),
      pair.at(0).get(`/clusters/${body.id}`),
      pair.at(0).patch(`/clusters/${body.id}`, { nonsense: true }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
    expect(answers.map(({ headers }) => headers.get('x-write-token'))).toEqual([null, null, null])
  })

  test('is accepted by lists and many snapshots, whose resource version then includes the write', async () => {
    for (const server of pair.servers) {
      const written = await createCluster()
      const { id } = written.body
      const token = tokenOf(written)
      const { body: list } = await server.get(
        `/clusters?search=${encodeURIComponent(`id='${id}'`)}&minResourceVersion=${token}`,
      )
      expect(list.total).toBe(1)
      const rows = await pair.query(
        `select (select revision from head) as head, max(revision) as own from changes
         where resource_id = $1`,
        [id],
      )
      expect(Number(list.resource_version.split('.')[1])).toBeGreaterThanOrEqual(
        Number(rows.rows[0].own),
      )
      for (const path of ['/resources', '/nodepools', `/clusters/${id}/statuses`]) {
        const answer = await server.get(`${path}?minResourceVersion=${token}`)
        expect(answer.status).toBe(200)
      }
      const many = await server.post('/snapshots', { ids: [id], minResourceVersion: token })
      expect(JSON.parse(many.text)).toMatchObject({ cluster: id })
    }
  })

  test('is 410 if it belongs to another epoch, and 400 if it is invalid', async () => {
    const { body } = await createCluster()
    for (const path of [`/clusters/${body.id}/snapshot`, '/clusters']) {
      const foreign = await pair.at(1).get(`${path}?minResourceVersion=00000000.w00000000.1`)
      expect(foreign).toMatchObject({ status: 410, body: { code: 'HYPERFLEET-CNF-004' } })
      const wrong = await pair.at(1).get(`${path}?minResourceVersion=yesterday`)
      expect(wrong).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'minResourceVersion' }] },
      })
    }
  })

  test('is valid after its server has stopped', async () => {
    await using other = await startPair()
    const [first, second] = other.servers
    const written = await createCluster(first)
    const token = tokenOf(written)
    await first[Symbol.asyncDispose]()
    const path = `/clusters/${written.body.id}/snapshot?warm=true&minResourceVersion=${token}`
    expect((await second.get(path)).body).toMatchObject({ cluster: written.body.id })
    expect(parseWriteToken(token)).not.toBeNull()
  })
})
