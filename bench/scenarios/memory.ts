import { type MemoryTrend, sampleMemory } from '../measure/memory-trend.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { FLEET_MIX, NODE_POOLS_PER_CLUSTER } from './mixed.ts'
import { closeLoads, type PreparedLoad, prepareLoads } from './prepare-loads.ts'
import { only, type Variant } from './variant.ts'

const CONNECTIONS = 16
const LARGE_ROUNDS = 3
const NO_WARM_UP = { seconds: 0 }
const HOUR = 3600
/** The load sends about as many requests as a fleet sends in an hour. */
const FULL_SECONDS = 300
const QUICK_SECONDS = 15
/** With its envelope, such a spec just fits into the maximum body size of 1 MiB. */
const LARGEST_SPEC = [1_030_000, 1_030_000] as const
const LARGE_CLUSTERS = 40

/** Names of facts. */
export const MEMORY_GROWTH = 'memory at the end of the load, relative to its middle'
const HOURLY_RATE = 'requests of the load, spread over an hour'

const LARGE_PAGES: readonly Variant[] = [
  {
    name: 'pages of 1000',
    mix: only({ op: 'list', page: 1, pageSize: 1000, mayBeUnavailable: true }),
  },
]
const LARGE_SPECS: readonly Variant[] = [
  { name: 'creating specs of 1 MiB', mix: only({ op: 'create', specBytes: LARGEST_SPEC }) },
  { name: 'reading specs of 1 MiB', mix: only({ op: 'get' }) },
  {
    name: 'pages of 20 specs of 1 MiB',
    mix: only({ op: 'list', page: 1, pageSize: 20, mayBeUnavailable: true }),
  },
]

/** Memory under sustained load, which must stay flat, and the peak with large bodies. */
export async function measureMemory(bench: Bench): Promise<void> {
  await measureFleet(bench)
  const dataset = {
    ...standardDataset(bench.options),
    rows: LARGE_CLUSTERS,
    specBytes: LARGEST_SPEC,
    reports: false,
  }
  await using servers = await startServers(bench.sources, { dataset })
  for (const variant of LARGE_SPECS) await measureLarge(bench, variant, servers.list)
}

async function measureFleet(bench: Bench): Promise<void> {
  const dataset = {
    ...standardDataset(bench.options),
    nodePoolsPerCluster: NODE_POOLS_PER_CLUSTER,
  }
  await using servers = await startServers(bench.sources, { dataset })
  const fleet = { name: 'the load of a fleet', mix: FLEET_MIX }
  const loads = await prepareLoads(bench, { variant: fleet, servers: servers.list })
  for (const load of loads) await measureSustained(bench, load)
  closeLoads(loads)
  for (const variant of LARGE_PAGES) await measureLarge(bench, variant, servers.list)
}

/** A single long sample, during which a leak would show. */
async function measureSustained(bench: Bench, load: PreparedLoad): Promise<void> {
  const { options, results } = bench
  const { pid, postgresPid } = load.target
  const sampler = sampleMemory(() => treeMegabytes('VmRSS', pid, postgresPid))
  const subject = loadSubject({ ...load, connections: CONNECTIONS })
  const seconds = options.seconds ?? (options.quick ? QUICK_SECONDS : FULL_SECONDS)
  await measureInRounds(bench, {
    scenario: 'memory',
    subjects: [subject],
    schedule: { ...options.schedule, rounds: 1, seconds },
  })
  const trend = sampler.stop()
  if (load.name !== 'flotilla') return
  const requests = results.measurements.at(-1)?.samples[0]?.requests ?? 0
  const facts = [
    { name: HOURLY_RATE, value: requests / HOUR, unit: 'per second' },
    ...(trend === null ? [] : factsOf(trend)),
  ]
  results.facts.push(...facts.map((fact) => ({ scenario: 'memory', ...fact })))
}

function factsOf({ start, middle, end }: MemoryTrend) {
  return [
    { name: 'memory at the start of the load', value: start, unit: 'MB' },
    { name: 'memory in the middle of the load', value: middle, unit: 'MB' },
    { name: 'memory at the end of the load', value: end, unit: 'MB' },
    { name: MEMORY_GROWTH, value: (100 * end) / middle, unit: '%' },
  ]
}

/** Fewer rounds than usual: peak memory hardly changes after the first ones. */
async function measureLarge(
  bench: Bench,
  variant: Variant,
  servers: readonly ServerUnderTest[],
): Promise<void> {
  const { schedule, quick } = bench.options
  const loads = await prepareLoads(bench, { variant, servers, warmUp: NO_WARM_UP })
  const subjects = loads.map((load) => loadSubject({ ...load, connections: CONNECTIONS }))
  const rounds = quick ? 1 : LARGE_ROUNDS
  await measureInRounds(bench, { scenario: 'memory', subjects, schedule: { ...schedule, rounds } })
  closeLoads(loads)
}
