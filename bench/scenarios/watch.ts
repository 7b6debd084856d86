import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../src/lib/assert.ts'
import { type Client, connectClient } from '../load/client.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import type { Contender } from '../servers/contender.ts'
import { startContenders } from '../servers/start-contenders.ts'
import { openWatchConnection, type WatchConnection } from '../watch/watch-connection.ts'
import { type Bench, standardDataset } from './bench.ts'

const WATCHERS = 1000
const WRITES_PER_SECOND = 200
/** Each write is told to a tenth of the watchers. */
const GROUPS = 10
const WRITTEN_CLUSTERS = 200
const FAN_OUTS = 50
const FULL = { idle: 60, busy: 20 }
const QUICK = { idle: 5, busy: 5 }
/** How long the last events may be on their way. */
const SETTLE_MS = 5000
const GROUP_LABEL = 'watch-group'

/** What a thousand watches cost: while nothing happens, at one change for all, and at many. */
export async function measureWatch(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), specBytes: [1024, 1024] as const }
  await using contenders = await startContenders(bench.sources, { dataset })
  const contender = must(contenders.list[0], 'a server')
  await using client = connectClient(contender.target.origin, 16, contender.target.headers)
  await measureIdle(bench, contender)
  await measureFanOut(bench, contender, client)
  await measureBusy(bench, contender, client)
}

function fact(bench: Bench, name: string, value: number, unit: string): void {
  bench.results.facts.push({ scenario: 'watch', name, value, unit })
}

async function measureIdle(bench: Bench, contender: Contender): Promise<void> {
  const { pid, postgresPid } = contender.target
  const seconds = bench.options.quick ? QUICK.idle : FULL.idle
  const before = treeMegabytes('VmRSS', pid, postgresPid)
  const watches = await openWatches(contender, () => `name='nobody'`)
  const busyBefore = cpuSeconds(pid, postgresPid)
  await sleep(seconds * 1000)
  const busyAfter = cpuSeconds(pid, postgresPid)
  const after = treeMegabytes('VmRSS', pid, postgresPid)
  closeWatches(watches)
  if (before !== null && after !== null) {
    fact(bench, `memory that ${WATCHERS} idle watches add`, after - before, 'MB')
  }
  if (busyBefore !== null && busyAfter !== null) {
    const share = (100 * (busyAfter - busyBefore)) / seconds
    fact(bench, `CPU of ${WATCHERS} idle watches, of a core`, share, '%')
  }
}

/** From the beginning of a write to its event at each watch. */
async function measureFanOut(bench: Bench, contender: Contender, client: Client): Promise<void> {
  const id = await anyCluster(client)
  const watches = await openWatches(contender, () => `id='${id}'`)
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
  const told = watches.reduce((sum, { changes }, index) => sum + changes - (before[index] ?? 0), 0)
  closeWatches(watches)
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  fact(bench, `one change to ${WATCHERS} watches, p50`, at(0.5), 'ms')
  fact(bench, `one change to ${WATCHERS} watches, p99`, at(0.99), 'ms')
  fact(bench, 'events that did not come to all', FAN_OUTS * WATCHERS - told, 'events')
}

/** Every watch has a search of its own, so that none is judged for another. */
async function measureBusy(bench: Bench, contender: Contender, client: Client): Promise<void> {
  const { pid, postgresPid } = contender.target
  const seconds = bench.options.quick ? QUICK.busy : FULL.busy
  const ids = await groupedClusters(client)
  const watches = await openWatches(
    contender,
    (index) => `labels.${GROUP_LABEL}='g${index % GROUPS}' and name != 'nobody-${index}'`,
  )
  const before = watches.map(({ changes }) => changes)
  const busyBefore = cpuSeconds(pid, postgresPid)
  const writes = seconds * WRITES_PER_SECOND
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
  const told = (): number =>
    watches.reduce((sum, { changes }, index) => sum + changes - (before[index] ?? 0), 0)
  await until(() => told() >= expected)
  const settled = (performance.now() - start) / 1000
  const busyAfter = cpuSeconds(pid, postgresPid)
  fact(bench, 'writes with filtered watches', writes / took, 'a second')
  fact(bench, 'events of filtered watches', told() / settled, 'a second')
  fact(bench, 'events of filtered watches that are missing', expected - told(), 'events')
  const wrong = watches.filter((watch, index) => {
    return watch.isEnded || watch.changes - (before[index] ?? 0) !== writes / GROUPS
  })
  fact(bench, 'filtered watches that were told too little or too much', wrong.length, 'watches')
  if (busyBefore !== null && busyAfter !== null) {
    const share = (100 * (busyAfter - busyBefore)) / settled
    fact(bench, 'CPU with filtered watches, of a core', share, '%')
  }
  closeWatches(watches)
}

async function openWatches(
  { target: { origin, headers } }: Contender,
  searchOf: (index: number) => string,
): Promise<readonly WatchConnection[]> {
  const watches = Array.from({ length: WATCHERS }, (_, index) => {
    const path = `/clusters?watch=true&search=${encodeURIComponent(searchOf(index))}`
    return { origin, headers, path }
  })
  const opened: WatchConnection[] = []
  for (const watch of watches) {
    const connection = openWatchConnection(watch)
    opened.push(connection)
    await connection.begun
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
  if (status !== 200) throw new Error(`PATCH answers ${status}: ${text}`)
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + SETTLE_MS
  while (!holds() && performance.now() < end) await sleep(1)
}
