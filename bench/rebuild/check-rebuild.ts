import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parseResourceVersion } from '../../src/store/feed/resource-version.ts'
import { must } from '../../src/lib/assert.ts'
import { clusterId } from '../data/cluster.ts'
import type { Dataset } from '../data/dataset.ts'
import { migrateAndSeed } from '../data/migrate-and-seed.ts'
import { quantileOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout } from '../servers/flotilla-server.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import { createWatchChain } from './watch-chain.ts'
import { differences } from './differences.ts'
import { createFleet } from './fleet.ts'
import { createLatencies, type Latencies } from './latencies.ts'
import { createEventLog } from './event-log.ts'
import { readList } from './read-list.ts'
import { createRecorder } from './recorder.ts'
import { type Rebuilder, startRebuilder } from './rebuilder.ts'
import { type ServerPair, startServerPair } from './server-pair.ts'
import { verifyWrites } from './verify-writes.ts'
import { type WatchedList, watchedLists } from './watched-list.ts'
import { type Load, runWriter } from './writer.ts'

const SETTINGS = { full: '100000', quick: '10000' }
const WRITERS = 16
const NODE_POOLS = 2
/** Clusters whose reports are copied. Those after the first KEPT may be deleted during the run. */
const REPORTED = 6
const KEPT = 4
const POLL_MS = 200
/** The feed is complete once its revision has not changed for this long. */
const QUIET_MS = 2500
const CATCH_UP_TIMEOUT_MS = 120_000
const MAX_PRINTED = 20
/** When each server is killed and restarted, as a share of the changes. */
const KILLS = [
  { server: 0, killed: 0.35, restarted: 0.5 },
  { server: 1, killed: 0.65, restarted: 0.8 },
] as const

/**
 * Copies lists through watches of two servers under write load, kills each server once, and compares
 * the copies with the lists at the end. Exits 1 if there is a difference.
 */
export async function checkRebuild(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      changes: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rows: { type: 'string', default: '300' },
      source: { type: 'boolean', default: false },
    },
  })
  const changes = Number(values.changes ?? (values.quick ? SETTINGS.quick : SETTINGS.full))
  if (!values.source) await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  const databaseUrl = await postgres.create()
  const dataset = datasetOf(Number(values.rows))
  await migrateAndSeed(databaseUrl, dataset)
  await using servers = await startServerPair({
    databaseUrl,
    fromSource: values.source,
    connections: WRITERS,
  })
  const problems = await rebuild(servers, dataset, changes)
  for (const problem of problems.slice(0, MAX_PRINTED)) console.error(`DIFFERENCE ${problem}`)
  console.log(problems.length === 0 ? 'no difference' : `${problems.length} differences`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function datasetOf(rows: number): Dataset {
  return { seed: 1, rows, specBytes: [256, 1024], reports: true, nodePoolsPerCluster: NODE_POOLS }
}

/** Returns one line per problem. */
async function rebuild(
  servers: ServerPair,
  dataset: Dataset,
  changes: number,
): Promise<readonly string[]> {
  const problems: string[] = []
  const stopping = new AbortController()
  const watched = Array.from({ length: REPORTED }, (_, index) => clusterId(index + 1))
  const load: Load = {
    servers,
    fleet: createFleet(dataset, watched.slice(0, KEPT)),
    latencies: createLatencies(),
    recorder: createRecorder(),
    maxResources: 2 * dataset.rows * (1 + NODE_POOLS),
    signal: stopping.signal,
    lost: 0,
  }
  const rebuilders = startRebuilders(load, watchedLists(watched), problems)
  const start = performance.now()
  const first = await revisionOf(servers)
  const writers = Array.from({ length: WRITERS }, () => runWriter(load))
  await followPlan(servers, (last) => (last - first) / changes)
  stopping.abort()
  await Promise.all(writers)
  const seconds = (performance.now() - start) / 1000
  const last = await quietRevision(servers)
  for (const rebuilder of rebuilders) rebuilder.stayConnected()
  problems.push(...(await awaitCatchUp(rebuilders, last)), ...load.recorder.violations())
  for (const rebuilder of rebuilders) await rebuilder.stop()
  for (const rebuilder of rebuilders) {
    if (!rebuilder.isGone) rebuilder.chain.checkComplete()
    const list = await readList(servers.any().client, rebuilder.list)
    const found = differences(rebuilder.state, list?.items ?? new Map())
    problems.push(...found.map((one) => `${rebuilder.list.name}: ${one}`))
  }
  problems.push(...(await verifyWrites(servers.any().client, load.fleet)))
  console.log(`${load.recorder.table(seconds)}\n`)
  console.log(
    summary({ changes: last - first, seconds, load, rebuilders, problems: problems.length }),
  )
  return problems
}

/**
 * Starts three rebuilders per list: two start from a list, one starts with a plain watch. A
 * fourth one of the first list stays connected and measures the latency of writes.
 */
function startRebuilders(
  { servers, latencies }: Load,
  lists: readonly WatchedList[],
  problems: string[],
): readonly Rebuilder[] {
  return lists.flatMap((list, index) => {
    const eventLog = createEventLog()
    const start = (number: number, startsWithList: boolean, timed: Latencies | null): Rebuilder => {
      const complain = (problem: string): void =>
        void problems.push(`${list.name}, ${number}: ${problem}`)
      const chain = createWatchChain(eventLog, complain)
      return startRebuilder({ list, servers, chain, startsWithList, complain, latencies: timed })
    }
    const rebuilders = [start(1, true, null), start(2, true, null), start(3, false, null)]
    if (index > 0) return rebuilders
    const steady = start(4, true, latencies)
    steady.stayConnected()
    return [...rebuilders, steady]
  })
}

/** Kills and restarts servers according to KILLS. Resolves after all changes. */
async function followPlan(
  servers: ServerPair,
  progressAt: (revision: number) => number,
): Promise<void> {
  const steps = KILLS.flatMap(({ server, killed, restarted }) => [
    { at: killed, act: () => servers.kill(server) },
    { at: restarted, act: () => servers.restart(server) },
  ])
  for (;;) {
    const progress = progressAt(await revisionOf(servers))
    const [step] = steps
    if (step && progress >= step.at) {
      steps.shift()
      await step.act()
    } else if (!step && progress >= 1) return
    else await sleep(POLL_MS)
  }
}

/** The current revision of a random server. */
async function revisionOf(servers: ServerPair): Promise<number> {
  const { text } = await servers.any().client.request('GET', '/clusters?pageSize=1')
  const version = parseResourceVersion(JSON.parse(text).resource_version)
  return Number(must(version, 'a resource version').revision)
}

/** The final revision, after the writers have stopped. */
async function quietRevision(servers: ServerPair): Promise<number> {
  let last = await revisionOf(servers)
  let since = performance.now()
  while (performance.now() - since < QUIET_MS) {
    await sleep(POLL_MS)
    const revision = await revisionOf(servers)
    if (revision !== last) since = performance.now()
    last = Math.max(last, revision)
  }
  return last
}

async function awaitCatchUp(
  rebuilders: readonly Rebuilder[],
  revision: number,
): Promise<readonly string[]> {
  const end = performance.now() + CATCH_UP_TIMEOUT_MS
  const late = (): readonly Rebuilder[] => rebuilders.filter((one) => !one.hasReached(revision))
  while (late().length > 0 && performance.now() < end) await sleep(POLL_MS)
  return late().map(
    ({ list, chain }) => `${list.name}: reached revision ${chain.revision}, not ${revision}`,
  )
}

interface Outcome {
  readonly changes: number
  readonly seconds: number
  readonly load: Load
  readonly rebuilders: readonly Rebuilder[]
  readonly problems: number
}

function summary({ changes, seconds, load, rebuilders, problems }: Outcome): string {
  const total = (of: (one: Rebuilder) => number): number =>
    rebuilders.reduce((sum, one) => sum + of(one), 0)
  const latencies = load.latencies.all()
  const at = (share: number): string => `${quantileOf(latencies, share).toFixed(0)} ms`
  return markdownTable(
    ['Figure', 'Value'],
    [
      ['changes', String(changes)],
      ['changes per second', (changes / seconds).toFixed(0)],
      ['rebuilders', String(rebuilders.length)],
      ['objects rebuilt', String(total(({ state }) => state.size))],
      ['events received', String(total(({ events }) => events))],
      ['resumes', String(total(({ resumes }) => resumes))],
      ['kills', String(load.servers.kills)],
      ['writes without a response', String(load.lost)],
      ['writes timed', String(latencies.length)],
      ['response to event on the other server, median', at(0.5)],
      ['response to event on the other server, p99', at(0.99)],
      ['differences', String(problems)],
    ],
  )
}
