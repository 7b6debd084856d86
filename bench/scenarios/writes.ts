import { fleetReportCount } from '../data/cluster-state.ts'
import type { Query } from '../servers/server-under-test.ts'
import { type Bench, standardDataset } from './bench.ts'
import { runClosedLoop } from './closed-loop.ts'
import { only, type Variant } from './variant.ts'

const HEAP_ONLY_SHARE = 'heartbeats that are heap-only updates (n_tup_hot_upd of n_tup_upd)'

/** New clusters in addition to the dataset. */
export async function measureCreate(bench: Bench): Promise<void> {
  const { specBytes } = bench.options
  await measureWrite(bench, {
    name: 'create',
    mix: only({ op: 'create', specBytes }),
    bare: true,
    pgbench: 'create',
  })
}

/** The first reports of all adapters, on clusters without reports. */
export async function measureFirstReports(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), reports: false }
  const variant: Variant = { name: 'report-new', mix: only({ op: 'report-new' }) }
  await runClosedLoop(bench, { name: 'report-new', dataset, variants: [variant] })
}

/** Heartbeats: reports that change only times. */
export async function measureHeartbeats(bench: Bench): Promise<void> {
  const variant: Variant = {
    name: 'report-same',
    mix: only({ op: 'report-same' }),
    bare: true,
    pgbench: 'report-same',
  }
  const dataset = standardDataset(bench.options)
  await runClosedLoop(bench, {
    name: variant.name,
    dataset,
    variants: [variant],
    requestsToWarmUp: fleetReportCount(dataset.rows),
    finish: (query) => recordHeapOnlyShare(bench, query),
  })
}

/** Reports that each change conditions of a cluster. */
export async function measureFlips(bench: Bench): Promise<void> {
  await measureWrite(bench, { name: 'report-flip', mix: only({ op: 'report-flip' }) })
}

async function measureWrite(bench: Bench, variant: Variant): Promise<void> {
  const dataset = standardDataset(bench.options)
  await runClosedLoop(bench, { name: variant.name, dataset, variants: [variant] })
}

/** Records the share of report updates that wrote no index entry. */
async function recordHeapOnlyShare({ results }: Bench, query: Query): Promise<void> {
  const [row] = await query(`
    select n_tup_upd::integer as updates, n_tup_hot_upd::integer as heap_only
    from pg_stat_user_tables where relname = 'adapter_statuses'`)
  const updates = Number(row?.['updates'])
  if (updates === 0) return
  const value = (100 * Number(row?.['heap_only'])) / updates
  results.facts.push({ scenario: 'report-same', name: HEAP_ONLY_SHARE, value, unit: '%' })
}
