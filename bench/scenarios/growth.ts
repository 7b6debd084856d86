import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import { type RunningServers, startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { closeLoads, prepareLoads } from './prepare-loads.ts'
import { pageProblem, searchVariant } from './reads.ts'
import { only, type Variant } from './variant.ts'

const SMALL_SPEC = [1024, 1024] as const
const SIZES = [1000, 10_000, 100_000, 1_000_000] as const
const CONNECTIONS = 16
/** An idle session flushes its statistics within this time. */
const STATISTICS_DELAY_MS = 11_000

const SEARCHES: readonly Variant[] = [
  searchVariant('label', 'selective'),
  searchVariant('condition', 'selective'),
  searchVariant('condition-label', 'selective'),
]

const OTHERS: readonly Variant[] = [
  { name: 'get', mix: only({ op: 'get' }) },
  {
    name: 'first page of 20',
    mix: only({ op: 'list', page: 1, pageSize: 20 }),
    problem: pageProblem(1, 20),
  },
  { name: 'report-same', mix: only({ op: 'report-same' }) },
  { name: 'create', mix: only({ op: 'create', specBytes: SMALL_SPEC }) },
]

/** The name of the fact that counts sequential scans. */
export function scanCountName(rows: number): string {
  return `sequential scans by selective searches of ${rows} clusters`
}

/** The cost of each operation by the number of clusters, with all sizes in the same rounds. */
export async function measureGrowth(bench: Bench): Promise<void> {
  const { options } = bench
  const started: RunningServers[] = []
  try {
    for (const rows of SIZES.filter((size) => size <= options.growthRows)) {
      started.push(await startSize(bench, rows))
    }
    const servers = started.flatMap(({ list }) => list)
    await recordScans(bench, servers, () => measureVariants(bench, servers, SEARCHES))
    await measureVariants(bench, servers, OTHERS)
  } finally {
    for (const each of started) await each[Symbol.asyncDispose]()
  }
}

/** Records the sequential scans of `resources` during `measure`, unless it measured nothing. */
async function recordScans(
  bench: Bench,
  servers: readonly ServerUnderTest[],
  measure: () => Promise<boolean>,
): Promise<void> {
  const before = await countScans(bench, servers)
  if (!(await measure())) return
  await sleep(STATISTICS_DELAY_MS)
  const after = await countScans(bench, servers)
  for (const [index, { target, name }] of servers.entries()) {
    if (name !== 'flotilla') continue
    const value = (after[index] ?? 0) - (before[index] ?? 0)
    const fact = { scenario: 'growth', name: scanCountName(target.dataset.rows), value, unit: '' }
    bench.results.facts.push(fact)
  }
}

async function startSize(bench: Bench, rows: number): Promise<RunningServers> {
  const dataset = { ...standardDataset(bench.options), rows, specBytes: SMALL_SPEC }
  const start = performance.now()
  const servers = await startServers(bench.sources, { dataset, once: true })
  const value = (performance.now() - start) / 1000
  const name = `seeding ${rows} clusters with five reports each, and server start`
  bench.results.facts.push({ scenario: 'growth', name, value, unit: 's' })
  return servers
}

/** Measures the variants that `--only` selects. Returns false if it selects none. */
async function measureVariants(
  bench: Bench,
  servers: readonly ServerUnderTest[],
  variants: readonly Variant[],
): Promise<boolean> {
  const { only: part, schedule } = bench.options
  const selected = variants.filter(({ name }) => part === null || name.includes(part))
  for (const variant of selected) {
    const loads = await prepareLoads(bench, { variant, servers })
    const subjects = loads.map((load) => loadSubject({ ...load, connections: CONNECTIONS }))
    await measureInRounds(bench, { scenario: 'growth', subjects, schedule })
    closeLoads(loads)
  }
  return selected.length > 0
}

/** The number of sequential scans of `resources` so far, per server. */
async function countScans(
  { postgres }: Bench,
  servers: readonly ServerUnderTest[],
): Promise<readonly number[]> {
  const counts: number[] = []
  for (const { databaseUrl } of servers) {
    const [row] = await postgres.run(
      databaseUrl,
      `select seq_scan::integer as scans from pg_stat_user_tables where relname = 'resources'`,
    )
    counts.push(Number(row?.['scans']))
  }
  return counts
}
