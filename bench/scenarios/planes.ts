import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { must } from '../../src/lib/assert.ts'
import { clusterId } from '../data/cluster.ts'
import { OBJECTS, objectName, seedObjects } from '../data/objects.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import type { Fact } from '../results/measurement.ts'
import { connectClient } from '../servers/http-client.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { measurePlaneWatches } from './plane-watches.ts'
import { closeLoads, prepareLoads } from './prepare-loads.ts'
import { only, type Variant } from './variant.ts'

/** Each pair of a request of the HyperFleet API and of a plane shares its rounds. */
const GROUPS: readonly (readonly Variant[])[] = [
  [
    { name: 'get of a cluster', mix: only({ op: 'get' }) },
    { name: 'get of an object', mix: only({ op: 'get-object' }) },
  ],
  [
    { name: 'list of 20 clusters', mix: only({ op: 'list', page: 1, pageSize: 20 }) },
    { name: 'list of 20 objects', mix: only({ op: 'list-objects', query: 'limit=20' }) },
  ],
  [
    { name: 'create of a cluster', mix: only({ op: 'create', specBytes: [600, 600] }) },
    { name: 'create in one plane', mix: only({ op: 'create-object', planes: 'one' }) },
    { name: 'create in many planes', mix: only({ op: 'create-object', planes: 'many' }) },
  ],
]
/** Selectors of lists of 500, measured alone. */
const SELECTORS: Readonly<Record<string, string>> = {
  'without a selector': '',
  'a hundredth matches': 'app=app-7',
  'half match': 'half=half-1',
  'all but a hundredth match': 'app!=app-7',
  'few match': 'app=app-7,half=half-1',
  'none match': 'none',
}
const LIST_SAMPLES = 20
const PLANES = 10_000
const OBJECTS_PER_PLANE = 20
const UNUSED_PLANES = 100
const CONNECTIONS = 16

/** Requests to planes beside those to clusters, lists of a large plane, many planes, and watches. */
export async function measurePlanes(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), specBytes: [600, 600] as const }
  await using servers = await startServers(bench.sources, { dataset })
  for (const server of servers.list) await seed(server, 'root', OBJECTS)
  for (const group of GROUPS) await measureGroup(bench, servers.list, group)
  const server = must(servers.list[0], 'a server')
  await measureLists(bench, server)
  await measureUnused(bench, server)
  await measureManyPlanes(bench, server)
  await measurePlaneWatches(bench, server)
}

async function measureGroup(
  bench: Bench,
  servers: readonly ServerUnderTest[],
  group: readonly Variant[],
): Promise<void> {
  const variants = group.filter(({ name }) => name.includes(bench.options.only ?? ''))
  const loads = []
  for (const variant of variants) loads.push(...(await prepareLoads(bench, { variant, servers })))
  for (const connections of bench.options.connections) {
    const subjects = loads.map((load) => loadSubject({ ...load, connections }))
    await measureInRounds(bench, { scenario: 'planes', subjects })
  }
  closeLoads(loads)
}

/** Inserts rows beside the running server; the planes must not have any. */
async function seed({ databaseUrl }: ServerUnderTest, plane: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: must(databaseUrl, 'a managed server') })
  await client.connect()
  await seedObjects(client, plane, count)
  await client.query('vacuum analyze objects')
  await client.end()
}

function addFact({ results }: Bench, fact: Omit<Fact, 'scenario'>): void {
  results.facts.push({ scenario: 'planes', ...fact })
}

async function measureLists(bench: Bench, { target }: ServerUnderTest): Promise<void> {
  await using client = connectClient(target.origin, 1)
  for (const [name, selector] of Object.entries(SELECTORS)) {
    const path = `/api/v1/configmaps?limit=500&labelSelector=${encodeURIComponent(selector)}`
    const times: number[] = []
    for (let sample = 0; sample < LIST_SAMPLES; sample += 1) {
      times.push(await timed(() => client.requestPath('GET', path)))
    }
    addFact(bench, {
      name: `list of 500 of ${OBJECTS} objects, ${name}`,
      value: median(times),
      unit: 'ms',
    })
  }
}

/** The first requests to planes that no request has used. */
async function measureUnused(bench: Bench, { target }: ServerUnderTest): Promise<void> {
  await using client = connectClient(target.origin, 1)
  const times: number[] = []
  for (let index = 0; index < UNUSED_PLANES; index += 1) {
    const created = await client.request('POST', '/clusters', {
      kind: 'Cluster',
      name: `unused-${index}`,
      spec: {},
    })
    const path = `/clusters/${JSON.parse(created.text).id}/control-plane/api/v1/namespaces`
    times.push(await timed(() => client.requestPath('GET', path)))
  }
  addFact(bench, { name: 'first request to a plane', value: median(times), unit: 'ms' })
  addFact(bench, {
    name: 'slowest first request to a plane',
    value: Math.max(...times),
    unit: 'ms',
  })
}

/** Memory and latency of requests to many planes with a few objects each. */
async function measureManyPlanes(bench: Bench, server: ServerUnderTest): Promise<void> {
  const { pid, postgresPid, origin, dataset } = server.target
  const planes = Math.min(PLANES, dataset.rows)
  const client = new pg.Client({ connectionString: must(server.databaseUrl, 'a managed server') })
  await client.connect()
  for (let number = 1; number <= planes; number += 1) {
    await seedObjects(client, clusterId(number), OBJECTS_PER_PLANE)
  }
  await client.end()
  const before = treeMegabytes('VmRSS', pid, postgresPid)
  await using requests = connectClient(origin, CONNECTIONS)
  const times: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < planes) {
        const plane = `/clusters/${clusterId((next += 1))}/control-plane`
        const path = `${plane}/api/v1/namespaces/default/configmaps/${objectName(7)}`
        times.push(await timed(() => requests.requestPath('GET', path)))
      }
    }),
  )
  await sleep(1000)
  const after = treeMegabytes('VmRSS', pid, postgresPid)
  addFact(bench, { name: `get in each of ${planes} planes, p50`, value: median(times), unit: 'ms' })
  addFact(bench, {
    name: `get in each of ${planes} planes, p99`,
    value: quantile(times, 0.99),
    unit: 'ms',
  })
  if (before !== null && after !== null) {
    addFact(bench, {
      name: `memory after a get in each of ${planes} planes`,
      value: after - before,
      unit: 'MB',
    })
  }
}

async function timed(request: () => Promise<{ readonly status: number; readonly text: string }>) {
  const start = performance.now()
  const { status, text } = await request()
  if (status !== 200) throw new Error(`status ${status}: ${text.slice(0, 300)}`)
  return performance.now() - start
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
