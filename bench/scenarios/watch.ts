import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../src/lib/assert.ts'
import { type Client, connectClient } from '../servers/http-client.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { quantileOf } from '../measure/statistics.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import type { Fact } from '../results/measurement.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import { startServers } from '../servers/start-servers.ts'
import { openWatchConnection, type WatchConnection } from '../watch/watch-connection.ts'
import { type Bench, standardDataset } from './bench.ts'

const WATCHERS = 1000
const WRITES_PER_SECOND = 200
/** Each write matches the filter of one group: a tenth of the watches. */
const GROUPS = 10
const WRITTEN_CLUSTERS = 200
const FAN_OUTS = 50
const FULL = { idle: 60, busy: 20 }
const QUICK = { idle: 5, busy: 5 }
/** Time limit for the delivery of outstanding events. */
const DELIVERY_TIMEOUT_MS = 5000
const GROUP_LABEL = 'watch-group'

/** The cost of a thousand watches: idle, with one change for all, and with many filtered changes. */
export async function measureWatch(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), specBytes: [1024, 1024] as const }
  await using servers = await startServers(bench.sources, { dataset })
  const server = must(servers.list[0], 'a server')
  await using client = connectClient(server.target.origin, 16)
  await measureIdle(bench, server)
  await measureFanOut(bench, server, client)
  await measureBusy(bench, server, client)
}

function addFact({ results }: Bench, fact: Omit<Fact, 'scenario'>): void {
  results.facts.push({ scenario: 'watch', ...fact })
}

async function measureIdle(bench: Bench, server: ServerUnderTest): Promise<void> {
  const { pid, postgresPid } = server.target
  const seconds = bench.options.quick ? QUICK.idle : FULL.idle
  const before = treeMegabytes('VmRSS', pid, postgresPid)
  const watches = await openWatches(server, () => `name='nobody'`)
  const busyBefore = cpuSeconds(pid, postgresPid)
  await sleep(seconds * 1000)
  const busyAfter = cpuSeconds(pid, postgresPid)
  const after = treeMegabytes('VmRSS', pid, postgresPid)
  closeWatches(watches)
  if (before !== null && after !== null) {
    addFact(bench, {
      name: `memory of ${WATCHERS} idle watches`,
      value: after - before,
      unit: 'MB',
    })
  }
  if (busyBefore !== null && busyAfter !== null) {
    const share = (100 * (busyAfter - busyBefore)) / seconds
    addFact(bench, { name: `CPU of ${WATCHERS} idle watches`, value: share, unit: '% of a core' })
  }
}

/** Latency from the start of a write to its event on each watch. */
async function measureFanOut(bench: Bench, server: ServerUnderTest, client: Client): Promise<void> {
  const id = await anyCluster(client)
  const watches = await openWatches(server, () => `id='${id}'`)
  const before = watches.map(({ changes }) => changes)
  const latencies: number[] = []
  for (let round = 1; round <= FAN_OUTS; round += 1) {
    const start = performance.now()
    for (const watch of watches) {
      watch.onChange = () => void latencies.push(performance.now() - start)
    }
    await patch(client, id, { spec: { round } })
    await until(() => latencies.length === round * WATCHERS)
    await sleep(50)
  }
  const delivered = watches.reduce(
    (sum, { changes }, index) => sum + changes - (before[index] ?? 0),
    0,
  )
  closeWatches(watches)
  addFact(bench, {
    name: `one change to ${WATCHERS} watches, p50`,
    value: quantileOf(latencies, 0.5),
    unit: 'ms',
  })
  addFact(bench, {
    name: `one change to ${WATCHERS} watches, p99`,
    value: quantileOf(latencies, 0.99),
    unit: 'ms',
  })
  addFact(bench, {
    name: 'missing events of changes for all',
    value: FAN_OUTS * WATCHERS - delivered,
    unit: 'events',
  })
}

/** Each watch has a different search, so that the server cannot share the result of a match. */
async function measureBusy(bench: Bench, server: ServerUnderTest, client: Client): Promise<void> {
  const { pid, postgresPid } = server.target
  const writeSeconds = bench.options.quick ? QUICK.busy : FULL.busy
  const ids = await groupedClusters(client)
  const watches = await openWatches(
    server,
    (index) => `labels.${GROUP_LABEL}='g${index % GROUPS}' and name != 'nobody-${index}'`,
  )
  const before = watches.map(({ changes }) => changes)
  const busyBefore = cpuSeconds(pid, postgresPid)
  const writes = writeSeconds * WRITES_PER_SECOND
  const start = performance.now()
  const pending: Promise<void>[] = []
  for (let write = 0; write < writes; write += 1) {
    const due = start + (write * 1000) / WRITES_PER_SECOND
    if (due > performance.now()) await sleep(due - performance.now())
    const id = must(ids[write % ids.length], 'a cluster')
    pending.push(patch(client, id, { spec: { write, text: 'x'.repeat(1000) } }))
  }
  await Promise.all(pending)
  const took = (performance.now() - start) / 1000
  const expected = (writes / GROUPS) * WATCHERS
  const delivered = (): number =>
    watches.reduce((sum, { changes }, index) => sum + changes - (before[index] ?? 0), 0)
  await until(() => delivered() >= expected)
  const seconds = (performance.now() - start) / 1000
  const busyAfter = cpuSeconds(pid, postgresPid)
  addFact(bench, { name: 'writes with filtered watches', value: writes / took, unit: 'per second' })
  addFact(bench, {
    name: 'events of filtered watches',
    value: delivered() / seconds,
    unit: 'per second',
  })
  addFact(bench, {
    name: 'missing events of filtered watches',
    value: expected - delivered(),
    unit: 'events',
  })
  const wrong = watches.filter((watch, index) => {
    return watch.isEnded || watch.changes - (before[index] ?? 0) !== writes / GROUPS
  })
  addFact(bench, {
    name: 'filtered watches with missing or extra events',
    value: wrong.length,
    unit: 'watches',
  })
  if (busyBefore !== null && busyAfter !== null) {
    const share = (100 * (busyAfter - busyBefore)) / seconds
    addFact(bench, { name: 'CPU with filtered watches', value: share, unit: '% of a core' })
  }
  closeWatches(watches)
}

async function openWatches(
  { target: { origin } }: ServerUnderTest,
  searchOf: (index: number) => string,
): Promise<readonly WatchConnection[]> {
  const watches = Array.from({ length: WATCHERS }, (_, index) => {
    const path = `/clusters?watch=true&search=${encodeURIComponent(searchOf(index))}`
    return { origin, path }
  })
  const opened: WatchConnection[] = []
  for (const watch of watches) {
    const connection = openWatchConnection(watch)
    opened.push(connection)
    await connection.started
  }
  return opened
}

function closeWatches(watches: readonly WatchConnection[]): void {
  for (const watch of watches) watch[Symbol.dispose]()
}

async function anyCluster(client: Client): Promise<string> {
  const [id] = await clusterIds(client, 1)
  return must(id, 'a cluster')
}

async function clusterIds(client: Client, count: number): Promise<readonly string[]> {
  const { text } = await client.request('GET', `/clusters?pageSize=${count}`)
  return JSON.parse(text).items.map(({ id }: { id: string }) => id)
}

async function groupedClusters(client: Client): Promise<readonly string[]> {
  const ids = await clusterIds(client, WRITTEN_CLUSTERS)
  await Promise.all(
    ids.map((id, index) => patch(client, id, { labels: { [GROUP_LABEL]: `g${index % GROUPS}` } })),
  )
  return ids
}

async function patch(client: Client, id: string, body: object): Promise<void> {
  const { status, text } = await client.request('PATCH', `/clusters/${id}`, body)
  if (status !== 200) throw new Error(`PATCH returned ${status}: ${text}`)
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + DELIVERY_TIMEOUT_MS
  while (!holds() && performance.now() < end) await sleep(1)
}
