import { setTimeout as sleep } from 'node:timers/promises'
import { spreadOf } from '../measure/statistics.ts'
import type { FleetBench } from './fleet-bench.ts'

/** Times from the start of a request, in milliseconds, by the name of their figure. */
type Life = ReadonlyMap<string, number>

const SIZES = { full: [1, 10, 100, 1000, 5000, 10_000], quick: [1, 10, 100, 1000] }
/** Larger fleets are measured once. */
const MAX_REPEATED_SIZE = 1000
const REPEATS = { full: 5, quick: 2 }
const POLL_MS = 10
const TIMEOUT_MS = 120_000

/** Names of figures. */
export const READY = 'all members ready'
export const REMOVED = 'removed with all members'

/** Creates and deletes fleets of growing sizes. */
export async function measureLife(bench: FleetBench): Promise<void> {
  await lifeOf(bench, 'warm-up', 100)
  const mode = bench.isQuick ? 'quick' : 'full'
  for (const size of SIZES[mode]) {
    const repeats = size > MAX_REPEATED_SIZE ? 1 : REPEATS[mode]
    const lives: Life[] = []
    for (let round = 0; round < repeats; round += 1) {
      lives.push(await lifeOf(bench, `life-${size}-${round}`, size))
    }
    for (const name of lives[0]?.keys() ?? []) {
      const spread = spreadOf(lives.map((life) => life.get(name) ?? Number.NaN))
      const unit = name === 'status writes' ? '' : 'ms'
      bench.fact(`${size} members, ${name}`, spread?.median ?? Number.NaN, unit)
    }
  }
}

async function lifeOf(bench: FleetBench, name: string, size: number): Promise<Life> {
  const { api, watch } = bench
  const start = performance.now()
  const uid = await api.create(name, size)
  const rows = rowsReach(bench, uid, size)
  const ready = (count: number) => watch.until(name, (event) => event.readyReplicas >= count)
  const [first, half, all] = await Promise.all(
    [1, Math.ceil(size / 2), size].map(async (count) => (await ready(count)).time - start),
  )
  const rowsTime = await rows
  const writes = watch.eventsOf(name).length - 1
  const deletion = performance.now()
  await api.remove(name)
  const deleted = await watch.until(name, ({ isDeleted }) => isDeleted)
  await rowsReach(bench, uid, 0)
  return new Map([
    ['all rows', rowsTime - start],
    ['first member ready', first ?? Number.NaN],
    ['half of the members ready', half ?? Number.NaN],
    [READY, all ?? Number.NaN],
    ['status writes', writes],
    [REMOVED, deleted.time - deletion],
  ])
}

/** Resolves with the time at which the fleet has this number of rows. */
async function rowsReach({ database }: FleetBench, uid: string, count: number): Promise<number> {
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::integer as count from members where group_uid = $1',
      [uid],
    )
    const now = performance.now()
    if (rows[0]?.count === count) return now
    if (now > end) throw new Error(`${rows[0]?.count} instead of ${count} members`)
    await sleep(POLL_MS)
  }
}
