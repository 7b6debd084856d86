import { startContenders } from '../servers/start-contenders.ts'
import { type Bench, standardDataset } from './bench.ts'
import { compete, loadEntry } from './compete.ts'
import { pageProblem } from './reads.ts'
import { closeSides, openSides } from './sides.ts'
import { only } from './variant.ts'

/** What a page of twenty costs beside a single cluster, with specs of 1 KB. */
export async function measureListBesideGet(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), specBytes: [1024, 1024] as const }
  await using contenders = await startContenders(bench.sources, { dataset })
  const get = await openSides(bench, { name: 'get', mix: only({ op: 'get' }) }, contenders.list)
  const page = { op: 'list', page: 1, pageSize: 20 } as const
  const list = await openSides(
    bench,
    { name: 'first page of 20', mix: only(page), problem: pageProblem(1, 20) },
    contenders.list,
  )
  for (const connections of bench.options.connections) {
    const entries = [...get, ...list].map((side) => loadEntry({ ...side, connections }))
    await compete(bench, 'list-1k', entries, bench.options.pace)
  }
  closeSides([...get, ...list])
}
