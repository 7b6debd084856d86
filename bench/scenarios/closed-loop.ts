import type { Schedule } from '../command/options.ts'
import type { Dataset } from '../data/dataset.ts'
import type { ServerSetup } from '../servers/server-under-test.ts'
import { startServers } from '../servers/start-servers.ts'
import type { Bench } from './bench.ts'
import { loadSubject, measureInRounds, type Subject } from './measure-in-rounds.ts'
import { pgbenchBaseline } from './pgbench-baseline.ts'
import { closeLoads, prepareLoads, type VariantLoad, type WarmUp } from './prepare-loads.ts'
import type { Variant } from './variant.ts'

/** Measures variants one after the other, each with every number of connections in the options. */
export interface ClosedLoop {
  readonly name: string
  readonly dataset: Dataset
  readonly variants: readonly Variant[]
  readonly schedule?: Schedule
  /** Minimum requests of the first warm-up, for scenarios that must touch all of the data first. */
  readonly requestsToWarmUp?: number
  readonly finish?: ServerSetup['finish']
}

export async function runClosedLoop(bench: Bench, scenario: ClosedLoop): Promise<void> {
  const { dataset, finish } = scenario
  const { only, schedule } = bench.options
  const variants = scenario.variants.filter(({ name }) => only === null || name.includes(only))
  if (variants.length === 0) return
  await using servers = await startServers(bench.sources, {
    dataset,
    ...(finish && { finish }),
  })
  const { requestsToWarmUp: requests } = scenario
  const first: WarmUp = {
    seconds: schedule.firstWarmUp,
    ...(requests !== undefined && { requests }),
  }
  for (const [index, variant] of variants.entries()) {
    const warmUp = index === 0 ? first : { seconds: schedule.firstWarmUp / 4 }
    await measureVariant(bench, scenario, { variant, warmUp, servers: servers.list })
  }
}

async function measureVariant(
  bench: Bench,
  { name: scenario, schedule = bench.options.schedule }: ClosedLoop,
  load: VariantLoad,
): Promise<void> {
  const loads = await prepareLoads(bench, load)
  for (const connections of bench.options.connections) {
    const subjects: Subject[] = loads.map((load) => loadSubject({ ...load, connections }))
    const [server] = load.servers
    const { name, pgbench: operation } = load.variant
    if (operation !== undefined && server !== undefined) {
      const baseline = { variant: name, operation, connections, server }
      const subject = await pgbenchBaseline(bench, scenario, baseline)
      if (subject !== null) subjects.push(subject)
    }
    await measureInRounds(bench, { scenario, subjects, schedule })
  }
  closeLoads(loads)
}
