import { setTimeout as sleep } from 'node:timers/promises'
import { createHistogram } from '../generator/histogram.ts'
import { type Claim, type FleetApi, openFleetApi } from './fleet-api.ts'
import { reportCpu, startCpuMeter } from './cpu-meter.ts'
import type { FleetBench } from './fleet-bench.ts'

const MEMBERS = 1000
const CLIENTS = [1, 16, 64]
const SECONDS = { full: 10, quick: 2 }
const NAME = 'claimed'
const RECYCLES = { full: 50, quick: 10 }
const POLL_MS = 2
const TIMEOUT_MS = 30_000

/** Names of figures. */
export const RECYCLED = 'from a release with Recycle to a claimable member'

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
  await measureRecycles(bench)
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
      await api.release(NAME, claim, 'Keep')
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

/** Releases with Recycle, one after the other: the time until the member can be claimed again. */
async function measureRecycles({ api, database, isQuick, fact }: FleetBench): Promise<void> {
  const histogram = createHistogram()
  const count = isQuick ? RECYCLES.quick : RECYCLES.full
  for (let number = 0; number < count; number += 1) {
    const claim = await api.claim(NAME, 'client')
    if (claim === null) throw new Error(`no member of ${MEMBERS}`)
    const sent = performance.now()
    await api.release(NAME, claim, 'Recycle')
    while (!(await isAvailable(database, claim))) {
      if (performance.now() - sent > TIMEOUT_MS) throw new Error(`${claim.clusterID} is not reset`)
      await sleep(POLL_MS)
    }
    histogram.record((performance.now() - sent) * 1000)
  }
  for (const share of [0.5, 0.99]) {
    fact(`${RECYCLED}, p${share * 100}`, histogram.percentile(share) / 1000, 'ms')
  }
}

async function isAvailable(database: FleetBench['database'], { claimID }: Claim): Promise<boolean> {
  const { rows } = await database.query<{ state: string }>(
    'select state from members where last_claim_id = $1',
    [claimID],
  )
  return rows[0]?.state === 'Available'
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
