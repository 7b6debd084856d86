// Compares five queues with a prototype of one generic queue: decision 91. Run it with `npx tsx`,
// perhaps with a part of the names of loads.
import type { Database } from '../src/store/database/database.ts'
import { ages, FILL_CLUSTERS, work } from './one-queue/adapter-work.ts'
import { idlePasses, purges } from './one-queue/clean-ups.ts'
import type { Load, Pair } from './one-queue/load.ts'
import { type Cost, meter } from './one-queue/meter.ts'
import { FILL_DIRECTORY, moves } from './one-queue/moves.ts'
import { operations } from './one-queue/sandboxes.ts'
import { openSides, type Sides } from './one-queue/sides.ts'
import { deliveries, deliveriesBesideBroken, FILL_WEBHOOKS } from './one-queue/webhooks.ts'

const ROUNDS = 16
/** The 97.5 % quantile of Student's distribution for ROUNDS. */
const QUANTILE = 2.13

const LOADS: ReadonlyMap<string, Pair> = new Map([
  ['deliver an event to a webhook', deliveries],
  ['the same beside a broken webhook', deliveriesBesideBroken],
  ['queue, lease and complete adapter work', work],
  ['find that a report is not old', ages],
  ['operate on a sandbox, five steps', operations],
  ['move a tenant, records only', moves],
  ['purge a removed plane', purges],
  ['a clean-up that finds nothing', idlePasses],
])

interface Costs {
  readonly old: readonly Cost[]
  readonly new: readonly Cost[]
}

async function once(database: Database, load: Load): Promise<Cost> {
  await load.prepare(database)
  await database.pool.query('vacuum analyze')
  return meter(database, () => load.run(database), load.operations)
}

/** The two sides take turns, and alternate who is first. The first round warms up. */
async function measure(sides: Sides, pair: Pair): Promise<Costs> {
  const costs: { old: Cost[]; new: Cost[] } = { old: [], new: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await once(sides.old, pair.old) : null
    const later = await once(sides.new, pair.new)
    const earlier = first ?? (await once(sides.old, pair.old))
    if (round === 0) continue
    costs.old.push(earlier)
    costs.new.push(later)
  }
  return costs
}

/** The geometric mean of the ratios of new to old, and the bounds of its 95 % interval. */
function ratio(costs: Costs, key: keyof Cost): string {
  const logs = costs.old.map((cost, round) => Math.log((costs.new[round]?.[key] ?? 0) / cost[key]))
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length
  const variance = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (logs.length - 1)
  const half = QUANTILE * Math.sqrt(variance / logs.length)
  const shown = (value: number): string => Math.exp(value).toFixed(2)
  return `${shown(mean)} (${shown(mean - half)} to ${shown(mean + half)})`
}

function medians({ old, new: fresh }: Costs, key: keyof Cost): string {
  const median = (costs: readonly Cost[]): string =>
    (costs.map((cost) => cost[key]).toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0).toFixed(1)
  return `${median(old)}, ${median(fresh)}`
}

await using sides = await openSides(FILL_WEBHOOKS + FILL_CLUSTERS + FILL_DIRECTORY)
console.log('| Load | PostgreSQL CPU | Node CPU | PostgreSQL us | WAL | buffers | rows |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const [name, pair] of LOADS) {
  if (!name.includes(process.argv[2] ?? '')) continue
  const costs = await measure(sides, pair)
  const ratios = [ratio(costs, 'postgres'), ratio(costs, 'node')]
  const values = (['postgres', 'wal', 'buffers', 'rows'] as const).map((key) => medians(costs, key))
  console.log(`| ${[name, ...ratios, ...values].join(' | ')} |`)
}
