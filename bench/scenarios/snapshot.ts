import { startContenders } from '../servers/start-contenders.ts'
import { type Bench, standardDataset } from './bench.ts'
import { compete, loadEntry } from './compete.ts'
import { closeSides, openSides } from './sides.ts'
import { only } from './variant.ts'

/** Few enough that all of them stay in memory, and are there after the warm-up. */
const CLUSTERS = 200

/**
 * A snapshot from memory of a cluster with three node pools and eleven reports, beside a read of
 * that cluster from the database, and beside node:http alone with the same bytes.
 */
export async function measureSnapshot(bench: Bench): Promise<void> {
  const rows = Math.min(bench.options.rows, CLUSTERS)
  const dataset = { ...standardDataset(bench.options), rows, nodePoolsPerCluster: 3 }
  await using contenders = await startContenders(bench.sources, { dataset })
  const get = await openSides(bench, { name: 'get', mix: only({ op: 'get' }) }, contenders.list)
  const snapshot = await openSides(
    bench,
    { name: 'snapshot', mix: only({ op: 'snapshot' }), bare: true },
    contenders.list,
  )
  for (const connections of bench.options.connections) {
    const entries = [...get, ...snapshot].map((side) => loadEntry({ ...side, connections }))
    await compete(bench, 'snapshot', entries, bench.options.pace)
  }
  closeSides([...get, ...snapshot])
}
