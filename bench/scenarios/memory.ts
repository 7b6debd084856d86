import { treeMegabytes } from '../measure/process-memory.ts'
import { type MemoryCourse, watchMemory } from '../measure/memory-watch.ts'
import { startContenders } from '../servers/start-contenders.ts'
import { type Bench, standardDataset } from './bench.ts'
import { compete, loadEntry } from './compete.ts'
import { FLEET_MIX, NODE_POOLS_PER_CLUSTER } from './mixed.ts'
import type { Contender } from '../servers/contender.ts'
import { closeSides, openSides, type Side } from './sides.ts'
import { only, type Variant } from './variant.ts'

const CONNECTIONS = 16
const LARGE_ROUNDS = 3
const NO_WARM_UP = { seconds: 0 }
const HOUR = 3600
/** How long the load of an hour is compressed into. */
const FULL_SECONDS = 300
const QUICK_SECONDS = 15
/** A spec that still fits in the largest body of 1 MiB. */
const LARGEST_SPEC = [1_030_000, 1_030_000] as const
const LARGE_CLUSTERS = 40

/** The names of the facts about memory. */
export const GROWTH_FACT = 'memory at the end of the load, of that in its middle'
const HOUR_FACT = 'requests in the load, spread over an hour'

const LARGE_PAGES: readonly Variant[] = [
  {
    name: 'pages of 1000',
    mix: only({ op: 'list', page: 1, pageSize: 1000, isTooMuch: true }),
  },
]
const LARGE_SPECS: readonly Variant[] = [
  { name: 'creating specs of 1 MiB', mix: only({ op: 'create', specBytes: LARGEST_SPEC }) },
  { name: 'reading specs of 1 MiB', mix: only({ op: 'get' }) },
  {
    name: 'pages of 20 specs of 1 MiB',
    mix: only({ op: 'list', page: 1, pageSize: 20, isTooMuch: true }),
  },
]

/** Whether memory stays flat under a long load, and how much large answers take. */
export async function measureMemory(bench: Bench): Promise<void> {
  await measureFleet(bench)
  if (bench.sources.some(({ isOurs }) => !isOurs)) {
    const reason = 'specs of 1 MiB need a server of their own'
    bench.results.omissions.push({ scenario: 'memory', what: 'large specs', reason })
    return
  }
  const dataset = {
    ...standardDataset(bench.options),
    rows: LARGE_CLUSTERS,
    specBytes: LARGEST_SPEC,
    reports: false,
  }
  await using contenders = await startContenders(bench.sources, { dataset })
  for (const variant of LARGE_SPECS) {
    await measureLarge(bench, variant, contenders.list)
  }
}

async function measureFleet(bench: Bench): Promise<void> {
  const dataset = {
    ...standardDataset(bench.options),
    nodePoolsPerCluster: NODE_POOLS_PER_CLUSTER,
  }
  await using contenders = await startContenders(bench.sources, { dataset })
  const fleet = { name: 'the load of a fleet', mix: FLEET_MIX }
  const sides = await openSides(bench, fleet, contenders.list)
  for (const side of sides) await measureHour(bench, side)
  closeSides(sides)
  for (const variant of LARGE_PAGES) {
    await measureLarge(bench, variant, contenders.list)
  }
}

/** One long turn, so that memory has time to grow. */
async function measureHour(bench: Bench, side: Side): Promise<void> {
  const { options, results } = bench
  const { pid, postgresPid } = side.target
  const watch = watchMemory(() => treeMegabytes('VmRSS', pid, postgresPid))
  const entry = loadEntry({ ...side, connections: CONNECTIONS })
  const seconds = options.seconds ?? (options.quick ? QUICK_SECONDS : FULL_SECONDS)
  await compete(bench, 'memory', [entry], { ...options.pace, rounds: 1, seconds })
  const course = watch.stop()
  if (side.measured !== 'flotilla') return
  const requests = results.measurements.at(-1)?.runs[0]?.requests ?? 0
  const facts = [
    { name: HOUR_FACT, value: requests / HOUR, unit: 'a second' },
    ...(course === null ? [] : factsOf(course)),
  ]
  results.facts.push(...facts.map((fact) => ({ scenario: 'memory', ...fact })))
}

function factsOf({ start, middle, end }: MemoryCourse) {
  return [
    { name: 'memory at the start of the load', value: start, unit: 'MB' },
    { name: 'memory in the middle of the load', value: middle, unit: 'MB' },
    { name: 'memory at the end of the load', value: end, unit: 'MB' },
    { name: GROWTH_FACT, value: (100 * end) / middle, unit: '%' },
  ]
}

/** What memory large answers take is asked, which more turns would hardly change. */
async function measureLarge(
  bench: Bench,
  variant: Variant,
  contenders: readonly Contender[],
): Promise<void> {
  const { pace, quick } = bench.options
  const sides = await openSides(bench, variant, contenders, NO_WARM_UP)
  const entries = sides.map((side) => loadEntry({ ...side, connections: CONNECTIONS }))
  await compete(bench, 'memory', entries, { ...pace, rounds: quick ? 1 : LARGE_ROUNDS })
  closeSides(sides)
}
