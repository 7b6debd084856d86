import type { Schedule } from '../command/options.ts'
import { fleetReportCount } from '../data/cluster-state.ts'
import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { closeLoads, prepareLoads } from './prepare-loads.ts'
import { only } from './variant.ts'

const PERIOD_SECONDS = 30
const CONNECTIONS = 64
/** A full sample covers the whole fleet once. */
const FULL_SECONDS = PERIOD_SECONDS
const QUICK_SECONDS = 5

/** Heartbeats per second of a fleet of `rows` clusters. */
export function heartbeatRate(rows: number): number {
  return fleetReportCount(rows) / PERIOD_SECONDS
}

/** A heartbeat of every adapter for every cluster each 30 s, at a rate independent of the responses. */
export async function measurePaced(bench: Bench): Promise<void> {
  const dataset = standardDataset(bench.options)
  const rate = heartbeatRate(dataset.rows)
  await using servers = await startServers(bench.sources, { dataset })
  const variant = { name: 'paced heartbeats', mix: only({ op: 'report-same' }) }
  const { firstWarmUp: seconds } = bench.options.schedule
  const requests = fleetReportCount(dataset.rows)
  const loads = await prepareLoads(bench, {
    variant,
    servers: servers.list,
    warmUp: { seconds, requests },
  })
  const subjects = loads.map((load) => loadSubject({ ...load, connections: CONNECTIONS, rate }))
  await measureInRounds(bench, { scenario: 'paced', subjects, schedule: scheduleOf(bench) })
  closeLoads(loads)
}

function scheduleOf({ options: { schedule, quick, seconds } }: Bench): Schedule {
  return { ...schedule, warmUp: 1, seconds: seconds ?? (quick ? QUICK_SECONDS : FULL_SECONDS) }
}
