import type { Dataset } from '../data/dataset.ts'
import type { Pace } from '../command/options.ts'
import type { Arrangement, Contender } from '../servers/contender.ts'
import { startContenders } from '../servers/start-contenders.ts'
import type { Bench } from './bench.ts'
import { compete, type Entry, loadEntry, pgbenchEntry } from './compete.ts'
import { closeSides, openSides, type WarmUp } from './sides.ts'
import type { Variant } from './variant.ts'

/** Variants one after the other, each with as many connections as are asked for. */
export interface ClosedLoop {
  readonly name: string
  readonly dataset: Dataset
  readonly variants: readonly Variant[]
  readonly pace?: Pace
  /** Of the first warm-up at least, where all of the data must have been asked for. */
  readonly requestsToWarmUp?: number
  readonly finish?: Arrangement['finish']
}

export async function runClosedLoop(bench: Bench, scenario: ClosedLoop): Promise<void> {
  const { dataset, finish } = scenario
  const wanted = bench.options.only
  const variants = scenario.variants.filter(({ name }) => wanted === null || name.includes(wanted))
  if (variants.length === 0) return
  await using contenders = await startContenders(bench.sources, {
    dataset,
    ...(finish && { finish }),
  })
  const { firstWarmUp } = bench.options.pace
  const { requestsToWarmUp: requests } = scenario
  const first: WarmUp = { seconds: firstWarmUp, ...(requests !== undefined && { requests }) }
  for (const [index, variant] of variants.entries()) {
    const warmUp = index === 0 ? first : { seconds: firstWarmUp / 4 }
    await runVariant(bench, scenario, { variant, warmUp, contenders: contenders.list })
  }
}

interface VariantRun {
  readonly variant: Variant
  readonly warmUp: WarmUp
  readonly contenders: readonly Contender[]
}

async function runVariant(
  bench: Bench,
  { name: scenario, pace = bench.options.pace }: ClosedLoop,
  { variant, warmUp, contenders }: VariantRun,
): Promise<void> {
  const sides = await openSides(bench, variant, contenders, warmUp)
  for (const connections of bench.options.connections) {
    const entries: Entry[] = sides.map((side) => loadEntry({ ...side, connections }))
    const [contender] = contenders
    const { name, pgbench: operation } = variant
    if (operation !== undefined && contender !== undefined) {
      const task = { variant: name, operation, connections, contender }
      const floor = await pgbenchEntry(bench, scenario, task)
      if (floor !== null) entries.push(floor)
    }
    await compete(bench, scenario, entries, pace)
  }
  closeSides(sides)
}
