import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { parseResourceVersion } from '../../src/core/feed/resource-version.ts'
import { migrate } from '../../src/core/storage/database/migrate.ts'
import { must } from '../../src/lib/assert.ts'
import { clusterId } from '../data/cluster.ts'
import type { Dataset } from '../data/dataset.ts'
import { seedDatabase } from '../data/seed-database.ts'
import { createRecorder } from '../load/recorder.ts'
import { markdownTable } from '../results/table.ts'
import { buildCheckout } from '../servers/flotilla-server.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import { createChain } from './chain.ts'
import { differences } from './differences.ts'
import { createFleet } from './fleet.ts'
import { createLatencies, type Latencies } from './latencies.ts'
import { createLedger } from './ledger.ts'
import { readList } from './read-list.ts'
import { type Rebuilder, startRebuilder } from './rebuilder.ts'
import { type ServerPair, startServerPair } from './server-pair.ts'
import { type Subject, subjectsOf } from './subject.ts'
import { type Load, runWriter } from './writer.ts'

const SETTINGS = { full: '100000', quick: '10000' }
const WRITERS = 16
const NODE_POOLS = 2
/** Clusters whose reports are rebuilt; the last ones may be removed meanwhile. */
const STATUSES = 6
const KEPT = 4
const POLL_MS = 200
/** How long nothing must be sequenced, until nothing more is to come. */
const QUIET_MS = 2500
const PATIENCE_MS = 120_000
/** When a server is killed and when it is started again, as shares of the changes. */
const KILLS = [
  { server: 0, killed: 0.35, restarted: 0.5 },
  { server: 1, killed: 0.65, restarted: 0.8 },
] as const

/**
 * Rebuilds lists from watches while two servers are written to and killed, and compares them with
 * the database at the end; exits 1 at any difference.
 */
export async function checkRebuild(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
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
  await seed(databaseUrl, dataset)
  await using servers = await startServerPair({
    databaseUrl,
    fromSource: values.source,
    connections: WRITERS,
  })
  const problems = await rebuild(servers, dataset, changes)
  for (const problem of problems.slice(0, 20)) console.error(`DIFFERENCE ${problem}`)
  console.log(problems.length === 0 ? 'no difference' : `${problems.length} differences`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function datasetOf(rows: number): Dataset {
  return { seed: 1, rows, specBytes: [256, 1024], reports: true, nodePoolsPerCluster: NODE_POOLS }
}

async function seed(databaseUrl: string, dataset: Dataset): Promise<void> {
  await migrate(databaseUrl, path.join(ROOT, 'prisma/migrations'))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await seedDatabase(client, dataset)
  } finally {
    await client.end()
  }
}

/** All that is wrong, one line each. */
async function rebuild(
  servers: ServerPair,
  dataset: Dataset,
  changes: number,
): Promise<readonly string[]> {
  const problems: string[] = []
  const stopping = new AbortController()
  const watched = Array.from({ length: STATUSES }, (_, index) => clusterId(index + 1))
  const load: Load = {
    servers,
    fleet: createFleet(dataset, watched.slice(0, KEPT)),
    latencies: createLatencies(),
    recorder: createRecorder(),
    mostResources: 2 * dataset.rows * (1 + NODE_POOLS),
    signal: stopping.signal,
    lost: 0,
  }
  const rebuilders = startRebuilders(load, subjectsOf(watched), problems)
  const start = performance.now()
  const first = await revisionOf(servers)
  const writers = Array.from({ length: WRITERS }, () => runWriter(load))
  await followPlan(servers, (last) => (last - first) / changes)
  stopping.abort()
  await Promise.all(writers)
  const seconds = (performance.now() - start) / 1000
  const last = await quietRevision(servers)
  for (const rebuilder of rebuilders) rebuilder.settle()
  problems.push(...(await catchUp(rebuilders, last)), ...load.recorder.violations())
  for (const rebuilder of rebuilders) await rebuilder.stop()
  for (const rebuilder of rebuilders) {
    if (!rebuilder.isGone) rebuilder.chain.judgeWhole()
    const list = await readList(servers.any().client, rebuilder.subject)
    const found = differences(rebuilder.state, list?.items ?? new Map())
    problems.push(...found.map((one) => `${rebuilder.subject.name}: ${one}`))
  }
  console.log(`${load.recorder.table(seconds)}\n`)
  console.log(
    summary({ changes: last - first, seconds, load, rebuilders, problems: problems.length }),
  )
  return problems
}

/**
 * Two of each list from its token, and one that is told the state by its watch. One more does not
 * break off by itself, so that it can time the writes.
 */
function startRebuilders(
  { servers, latencies }: Load,
  subjects: readonly Subject[],
  problems: string[],
): readonly Rebuilder[] {
  return subjects.flatMap((subject, index) => {
    const ledger = createLedger()
    const start = (number: number, beginsWithList: boolean, timed: Latencies | null): Rebuilder => {
      const complain = (problem: string): void =>
        void problems.push(`${subject.name}, ${number}: ${problem}`)
      const chain = createChain(ledger, complain)
      return startRebuilder({ subject, servers, chain, beginsWithList, complain, latencies: timed })
    }
    const rebuilders = [start(1, true, null), start(2, true, null), start(3, false, null)]
    if (index > 0) return rebuilders
    const steady = start(4, true, latencies)
    steady.settle()
    return [...rebuilders, steady]
  })
}

/** Kills and starts servers when their time has come; resolves when all changes have been made. */
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

/** How far the server knows the feed. */
async function revisionOf(servers: ServerPair): Promise<number> {
  const { text } = await servers.any().client.request('GET', '/clusters?pageSize=1')
  const token = parseResourceVersion(JSON.parse(text).resource_version)
  return Number(must(token, 'a token').revision)
}

/** The last revision: nothing is written any more, and no server learns of more. */
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

async function catchUp(
  rebuilders: readonly Rebuilder[],
  revision: number,
): Promise<readonly string[]> {
  const end = performance.now() + PATIENCE_MS
  const late = (): readonly Rebuilder[] => rebuilders.filter((one) => !one.hasReached(revision))
  while (late().length > 0 && performance.now() < end) await sleep(POLL_MS)
  return late().map(
    ({ subject, chain }) => `${subject.name}: told up to ${chain.position}, not to ${revision}`,
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
  const latencies = load.latencies.sorted()
  const at = (share: number): string =>
    `${(latencies[Math.floor(latencies.length * share)] ?? Number.NaN).toFixed(0)} ms`
  return markdownTable(
    ['What', 'Figure'],
    [
      ['changes', String(changes)],
      ['changes a second', (changes / seconds).toFixed(0)],
      ['rebuilders', String(rebuilders.length)],
      ['objects rebuilt', String(total(({ state }) => state.size))],
      ['events told', String(total(({ events }) => events))],
      ['resumes', String(total(({ resumes }) => resumes))],
      ['kills', String(load.servers.kills)],
      ['writes without an answer', String(load.lost)],
      ['writes timed', String(latencies.length)],
      ['answer to event on the other server, median', at(0.5)],
      ['answer to event on the other server, p99', at(0.99)],
      ['differences', String(problems)],
    ],
  )
}
