import { createHistogram } from '../generator/histogram.ts'
import { type FleetApi, openFleetApi } from './fleet-api.ts'
import { reportCpu, startCpuMeter } from './cpu-meter.ts'
import type { FleetBench } from './fleet-bench.ts'

const MEMBERS = 1000
const CLIENTS = [1, 16, 64]
const SECONDS = { full: 10, quick: 2 }
const NAME = 'claimed'

/** The name of the figure of claims by this number of clients. */
export function claimFigure(clients: number, share: 'p50' | 'p99'): string {
  return `claim, ${clients} clients, ${share}`
}

/** Claims and releases in closed loops, then claims of all members without releases. */
export async function measureClaims(bench: FleetBench): Promise<void> {
  const { api, watch } = bench
  await api.create(NAME, MEMBERS)
  await watch.until(NAME, ({ readyReplicas }) => readyReplicas === MEMBERS)
  for (const clients of CLIENTS) await measureLoop(bench, clients)
  await measureDrain(bench)
  await api.remove(NAME)
  await watch.until(NAME, ({ isDeleted }) => isDeleted)
}

async function measureLoop(bench: FleetBench, clients: number): Promise<void> {
  const histogram = createHistogram()
  const seconds = bench.isQuick ? SECONDS.quick : SECONDS.full
  const past = bench.watch.eventsOf(NAME).length
  const cpu = startCpuMeter(bench)
  const start = performance.now()
  const end = start + seconds * 1000
  await withClients(bench, clients, async (api, holder) => {
    while (performance.now() < end) {
      const sent = performance.now()
      const claim = await api.claim(NAME, holder)
      if (claim === null) throw new Error(`no member of ${MEMBERS} for ${clients} clients`)
      histogram.record((performance.now() - sent) * 1000)
      await api.release(NAME, claim)
    }
  })
  const elapsed = (performance.now() - start) / 1000
  reportCpu(bench, cpu(), {
    what: `claim and release, ${clients} clients`,
    divisor: histogram.count,
    unit: 'ms',
  })
  const writes = bench.watch.eventsOf(NAME).length - past
  bench.fact(claimFigure(clients, 'p50'), histogram.percentile(0.5) / 1000, 'ms')
  bench.fact(claimFigure(clients, 'p99'), histogram.percentile(0.99) / 1000, 'ms')
  bench.fact(`claims and releases, ${clients} clients`, histogram.count / elapsed, 'per second')
  bench.fact(`status writes a second, ${clients} clients`, writes / elapsed, '')
}

/** Every client claims until no member is left. No two clients may get the same member. */
async function measureDrain(bench: FleetBench): Promise<void> {
  const claimed: string[] = []
  const clients = Math.max(...CLIENTS)
  const start = performance.now()
  await withClients(bench, clients, async (api, holder) => {
    for (;;) {
      const claim = await api.claim(NAME, holder)
      if (claim === null) return
      claimed.push(claim.clusterID)
    }
  })
  const elapsed = performance.now() - start
  const distinct = new Set(claimed).size
  if (distinct !== claimed.length || distinct !== MEMBERS) {
    throw new Error(`${claimed.length} claims of ${distinct} members instead of ${MEMBERS}`)
  }
  bench.fact(`claim of all ${MEMBERS} members by ${clients} clients`, elapsed, 'ms')
}

async function withClients(
  { target }: FleetBench,
  count: number,
  run: (api: FleetApi, holder: string) => Promise<void>,
): Promise<void> {
  await using api = openFleetApi(target, count)
  await Promise.all(Array.from({ length: count }, (_item, index) => run(api, `client-${index}`)))
}
