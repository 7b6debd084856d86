// Compares the two logs with a prototype of one log: decision 91. Run it with `npx tsx`, perhaps with
// a part of the names of loads.
import { type LoadOf, loads } from './one-log/loads.ts'
import { type Cost, meter } from './one-log/meter.ts'
import { openSides, type Side } from './one-log/sides.ts'

const ROUNDS = 16
/** The 97.5 % quantile of Student's distribution for ROUNDS. */
const QUANTILE = 2.13

/** The costs of one load in the order of the rounds. */
interface Costs {
  readonly old: readonly Cost[]
  readonly new: readonly Cost[]
}

/** The two sides take turns, and alternate who is first. The first round warms up. */
async function measure(old: Side, fresh: Side, load: LoadOf): Promise<Costs> {
  const costs: { old: Cost[]; new: Cost[] } = { old: [], new: [] }
  const once = async (side: Side): Promise<Cost> => {
    const { prepare, run, operations } = load(side)
    await prepare()
    return meter(side.database, run, operations)
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await once(old) : null
    const later = await once(fresh)
    const earlier = first ?? (await once(old))
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

await using sides = await openSides()
console.log('| Load | PostgreSQL CPU | Node CPU | PostgreSQL us | WAL | buffers | rows |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const [name, load] of loads()) {
  if (!name.includes(process.argv[2] ?? '')) continue
  const costs = await measure(sides.old, sides.new, load)
  const ratios = [ratio(costs, 'postgres'), ratio(costs, 'node')]
  const values = (['postgres', 'wal', 'buffers', 'rows'] as const).map((key) => medians(costs, key))
  console.log(`| ${[name, ...ratios, ...values].join(' | ')} |`)
}
