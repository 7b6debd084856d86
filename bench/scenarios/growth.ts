import { setTimeout as sleep } from 'node:timers/promises'
import { type Contenders, startContenders } from '../servers/start-contenders.ts'
import type { Contender } from '../servers/contender.ts'
import { type Bench, standardDataset } from './bench.ts'
import { compete, loadEntry } from './compete.ts'
import { pageProblem, searchVariant } from './reads.ts'
import { closeSides, openSides } from './sides.ts'
import { only, type Variant } from './variant.ts'

const SMALL_SPEC = [1024, 1024] as const
const SIZES = [1000, 10_000, 100_000, 1_000_000] as const
const CONNECTIONS = 16
/** After so long an idle session has told the statistics what it did. */
const STATISTICS_DELAY_MS = 11_000

const SEARCHES: readonly Variant[] = [
  searchVariant('label', 'selective'),
  searchVariant('condition', 'selective'),
  searchVariant('condition-label', 'selective'),
]

const REST: readonly Variant[] = [
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
export function scansFact(rows: number): string {
  return `sequential scans by selective searches of ${rows} clusters`
}

/** What each operation costs as the number of clusters grows, all sizes turn by turn. */
export async function measureGrowth(bench: Bench): Promise<void> {
  const { options } = bench
  const started: Contenders[] = []
  try {
    for (const rows of SIZES.filter((size) => size <= options.growthRows)) {
      started.push(await startSize(bench, rows))
    }
    const contenders = started.flatMap(({ list }) => list)
    await countScans(bench, contenders, () => measureVariants(bench, contenders, SEARCHES))
    await measureVariants(bench, contenders, REST)
  } finally {
    for (const each of started) await each[Symbol.asyncDispose]()
  }
}

/** Writes down how often searches went through all of `resources`; `measure` says if there were any. */
async function countScans(
  bench: Bench,
  contenders: readonly Contender[],
  measure: () => Promise<boolean>,
): Promise<void> {
  const before = await scansOf(bench, contenders)
  if (!(await measure())) return
  await sleep(STATISTICS_DELAY_MS)
  const after = await scansOf(bench, contenders)
  for (const [index, { target, name }] of contenders.entries()) {
    if (name !== 'flotilla') continue
    const value = (after[index] ?? 0) - (before[index] ?? 0)
    const fact = { scenario: 'growth', name: scansFact(target.dataset.rows), value, unit: '' }
    bench.results.facts.push(fact)
  }
}

async function startSize(bench: Bench, rows: number): Promise<Contenders> {
  const dataset = { ...standardDataset(bench.options), rows, specBytes: SMALL_SPEC }
  const start = performance.now()
  const contenders = await startContenders(bench.sources, { dataset, once: true })
  const value = (performance.now() - start) / 1000
  const name = `seconds to seed ${rows} clusters with five reports each and to start on them`
  bench.results.facts.push({ scenario: 'growth', name, value, unit: 's' })
  return contenders
}

/** Whether any of them is wanted. */
async function measureVariants(
  bench: Bench,
  contenders: readonly Contender[],
  variants: readonly Variant[],
): Promise<boolean> {
  const { only: part, pace } = bench.options
  const wanted = variants.filter(({ name }) => part === null || name.includes(part))
  for (const variant of wanted) {
    const sides = await openSides(bench, variant, contenders)
    const entries = sides.map((side) => loadEntry({ ...side, connections: CONNECTIONS }))
    await compete(bench, 'growth', entries, pace)
    closeSides(sides)
  }
  return wanted.length > 0
}

/** How often each database has gone through all of `resources`. */
async function scansOf(
  { postgres }: Bench,
  contenders: readonly Contender[],
): Promise<readonly number[]> {
  const counts: number[] = []
  for (const { databaseUrl } of contenders) {
    if (postgres === null || databaseUrl === null) continue
    const [row] = await postgres.run(
      databaseUrl,
      `select seq_scan::integer as scans from pg_stat_user_tables where relname = 'resources'`,
    )
    counts.push(Number(row?.['scans']))
  }
  return counts
}
