import type { Bench } from './bench.ts'
import { measureDurable } from './durable.ts'
import { measureGrowth } from './growth.ts'
import { measureListBesideGet } from './list-beside-get.ts'
import { measureMemory } from './memory.ts'
import { measureMixed } from './mixed.ts'
import { measurePaced } from './paced.ts'
import { measureSnapshot } from './snapshot.ts'
import { measureGet, measureList, measureSearch } from './reads.ts'
import { measureWatch } from './watch.ts'
import { SCENARIO_NAMES, type ScenarioName } from './scenario-names.ts'
import { measureCreate, measureFirstReports, measureFlips, measureHeartbeats } from './writes.ts'
import { OtherDataset } from '../servers/given-source.ts'

type Measuring = Exclude<ScenarioName, 'all' | 'seed'>

const SCENARIOS: Readonly<Record<Measuring, (bench: Bench) => Promise<void>>> = {
  get: measureGet,
  list: measureList,
  'list-1k': measureListBesideGet,
  snapshot: measureSnapshot,
  search: measureSearch,
  create: measureCreate,
  'report-new': measureFirstReports,
  'report-same': measureHeartbeats,
  'report-flip': measureFlips,
  mixed: measureMixed,
  paced: measurePaced,
  durable: measureDurable,
  memory: measureMemory,
  growth: measureGrowth,
  watch: measureWatch,
}

/** Runs what was asked for, and calls back after each. */
export async function runScenarios(bench: Bench, onEnd: (name: string) => void): Promise<void> {
  for (const name of chosen(bench)) {
    try {
      await SCENARIOS[name](bench)
    } catch (error) {
      if (!(error instanceof OtherDataset)) throw error
      bench.results.omissions.push({ scenario: name, what: 'all', reason: error.message })
    }
    onEnd(name)
  }
}

function chosen({ options: { scenario, quick } }: Bench): readonly Measuring[] {
  if (scenario === 'seed') return []
  if (scenario !== 'all') return [scenario]
  const all = SCENARIO_NAMES.filter((name) => name !== 'all' && name !== 'seed')
  return quick ? all.filter((name) => name !== 'growth') : all
}
