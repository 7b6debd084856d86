import { CLUSTER_ADAPTERS } from '../data/cluster-state.ts'
import type { Pace } from '../command/options.ts'
import { startContenders } from '../servers/start-contenders.ts'
import { type Bench, standardDataset } from './bench.ts'
import { compete, loadEntry } from './compete.ts'
import { requestsOfOneRound } from './one-round.ts'
import { closeSides, openSides } from './sides.ts'
import { only } from './variant.ts'

const PERIOD_SECONDS = 30
const CONNECTIONS = 64
/** A round of the whole fleet, or a part of it where it must be quick. */
const FULL_SECONDS = 30
const QUICK_SECONDS = 5

/** Heartbeats a second of so many clusters. */
export function heartbeatRate(rows: number): number {
  return (rows * CLUSTER_ADAPTERS.length) / PERIOD_SECONDS
}

/** Every adapter's heartbeat for every cluster in 30 s, whether or not the server keeps up. */
export async function measurePaced(bench: Bench): Promise<void> {
  const dataset = standardDataset(bench.options)
  const rate = heartbeatRate(dataset.rows)
  await using contenders = await startContenders(bench.sources, { dataset })
  const variant = { name: 'paced heartbeats', mix: only({ op: 'report-same' }) }
  const { firstWarmUp: seconds } = bench.options.pace
  const requests = requestsOfOneRound(dataset)
  const sides = await openSides(bench, variant, contenders.list, { seconds, requests })
  const entries = sides.map((side) => loadEntry({ ...side, connections: CONNECTIONS, rate }))
  await compete(bench, 'paced', entries, paceOf(bench))
  closeSides(sides)
}

function paceOf({ options: { pace, quick, seconds } }: Bench): Pace {
  return { ...pace, warmUp: 1, seconds: seconds ?? (quick ? QUICK_SECONDS : FULL_SECONDS) }
}
