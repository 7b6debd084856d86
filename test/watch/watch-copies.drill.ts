import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../bench/data/seeded-random.ts'
import { must } from '../../src/lib/assert.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'
import { creation, report } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import type { TestResponse, TestServer } from '../support/test-server.ts'
import { type CopiedList, copyList, readList } from './list-copy.ts'
import { openWatch, revisionOf } from './watch-client.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair[Symbol.asyncDispose]())

const WRITERS = 4
const WRITES = proofSize(300)
/** All samples are ten times as many writes. */
const TIMEOUT_MS = 900_000
const CREWS = ['blue', 'red', 'green', 'none']
const ADAPTERS = ['validator', 'dns', 'pullsecret', 'hypershift']
const REPORT_TIMES = new Set(['last_report_time', 'last_updated_time'])

/** Heartbeats change these times without an event: only lists have the last ones. */
function withoutReportTimes(items: ReadonlyMap<string, object>): ReadonlyMap<string, object> {
  const text = JSON.stringify([...items], (name, value) =>
    REPORT_TIMES.has(name) ? undefined : value,
  )
  return new Map(JSON.parse(text))
}

/** A resource that the writers know. Its generation may be outdated. */
interface Written {
  readonly id: string
  readonly kind: string
  readonly generation: number
}

/** Sends random writes. Writers share the resources, so some writes find a removed one. */
async function writeAtRandom(
  servers: (round: number) => TestServer,
  resources: Written[],
  random: () => number,
): Promise<readonly number[]> {
  const among = <T>(values: readonly T[]): T => {
    return must(values[Math.floor(random() * values.length)], 'a value')
  }
  const writeOnce = async (server: TestServer): Promise<TestResponse> => {
    const [kept] = resources
    const target = among(resources)
    const path = `/resources/${target.id}`
    const content = { spec: { n: random() }, labels: { crew: among(CREWS) } }
    const dice = random()
    if (dice < 0.1) return server.post('/clusters', creation('Cluster', content))
    if (dice < 0.2) {
      const { id } = target.kind === 'Cluster' ? target : must(kept, 'a cluster')
      return server.post(`/clusters/${id}/nodepools`, creation('NodePool', content))
    }
    if (dice < 0.5) return server.patch(path, content)
    if (dice < 0.9 || target === kept) {
      const status = random() < 0.8 ? 'True' : 'False'
      const fields = {
        observed_generation: target.generation,
        observed_time: new Date().toISOString(),
        conditions: [{ type: 'Available', status }],
      }
      return server.post(`${path}/statuses`, report(among(ADAPTERS), fields))
    }
    await server.request('DELETE', path)
    return server.post(`${path}/force-delete`, { reason: 'It is not needed' })
  }
  const statuses: number[] = []
  for (let round = 0; round < WRITES; round += 1) {
    const { status, body } = await writeOnce(servers(round))
    statuses.push(status)
    if (status === 201 && body.id !== undefined) resources.push(body)
  }
  return statuses
}

test(
  'copies of lists that watches maintain across both servers equal the lists',
  async () => {
    const random = seededRandom(1)
    const [server] = pair.servers
    const { body: kept } = await server.post('/clusters', creation('Cluster'))
    const lists = [
      ['/clusters', ''],
      ['/nodepools', ''],
      ['/resources', ''],
      ['/clusters', "labels.crew='blue'"],
      ['/clusters', "labels.crew='red' and status.conditions.Ready='False'"],
      ['/resources', "labels.crew='green' and deleted_time is null"],
      [`/clusters/${kept.id}/nodepools`, ''],
      [`/clusters/${kept.id}/statuses`, ''],
    ].map(([path = '', search = '']): CopiedList => ({ path, search, events: new Map() }))
    const last = { revision: Number.POSITIVE_INFINITY }
    const copying = Promise.all(
      lists.map(async (list) => {
        const copies = [true, false].map((beginsWithList) => {
          const headers = beginsWithList ? {} : { Accept: 'text/event-stream' }
          return copyList({ list, pair, beginsWithList, headers, random, last })
        })
        return { list, copies: await Promise.all(copies) }
      }),
    )
    const resources: Written[] = [kept]
    const writing = Array.from({ length: WRITERS }, (_, writer) =>
      writeAtRandom((round) => pair.at(round + writer), resources, random),
    )
    const statuses = (await Promise.all(writing)).flat()
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    // A cluster that is created after all writes has the last revision.
    const { version } = await readList(server, { path: '/clusters', search: '' })
    using watch = await openWatch(server, `/clusters?watch=true&resourceVersion=${version}`)
    const { body: marker } = await server.post('/clusters', creation('Cluster'))
    const { resource_version: marked } = await watch.until(({ object }) => object.id === marker.id)
    last.revision = revisionOf(marked)
    for (const { list, copies } of await copying) {
      const name = `${list.path} with '${list.search}'`
      const expected = withoutReportTimes((await readList(server, list)).items)
      for (const { items, problems } of copies) {
        expect(problems, name).toEqual([])
        expect(withoutReportTimes(items), name).toEqual(expected)
      }
    }
  },
  TIMEOUT_MS,
)
