import type { Bench } from './bench.ts'
import { measureDurable } from './durable.ts'
import { measureFleets } from './fleets.ts'
import { measureGrowth } from './growth.ts'
import { measureList1k } from './list-1k.ts'
import { measureMemory } from './memory.ts'
import { measureMixed } from './mixed.ts'
import { measurePaced } from './paced.ts'
import { measureGet, measureList, measureSearch } from './reads.ts'
import { measurePlanes } from './planes.ts'
import { SCENARIO_NAMES, type ScenarioName } from './scenario-names.ts'
import { measureSandboxes } from './sandboxes.ts'
import { measureSnapshot } from './snapshot.ts'
import { measureWatch } from './watch.ts'
import { measureCreate, measureFirstReports, measureFlips, measureHeartbeats } from './writes.ts'

type MeasuredScenario = Exclude<ScenarioName, 'all' | 'seed'>

const SCENARIOS: Readonly<Record<MeasuredScenario, (bench: Bench) => Promise<void>>> = {
  get: measureGet,
  list: measureList,
  'list-1k': measureList1k,
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
  planes: measurePlanes,
  fleets: measureFleets,
  sandboxes: measureSandboxes,
}

/** Runs the selected scenarios. Calls `onEnd` after each. */
export async function runScenarios(bench: Bench, onEnd: (name: string) => void): Promise<void> {
  for (const name of selectedScenarios(bench)) {
    await SCENARIOS[name](bench)
    onEnd(name)
  }
}

function selectedScenarios({ options: { scenario, quick } }: Bench): readonly MeasuredScenario[] {
  if (scenario === 'seed') return []
  if (scenario !== 'all') return [scenario]
  const all = SCENARIO_NAMES.filter((name) => name !== 'all' && name !== 'seed')
  return quick ? all.filter((name) => name !== 'growth') : all
}
