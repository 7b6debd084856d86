import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { closeLoads, prepareLoads } from './prepare-loads.ts'
import { pageProblem } from './reads.ts'
import { only } from './variant.ts'

/** The cost of a page of 20 relative to a get, with specs of 1 KB. */
export async function measureList1k(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), specBytes: [1024, 1024] as const }
  await using servers = await startServers(bench.sources, { dataset })
  const get = await prepareLoads(bench, {
    variant: { name: 'get', mix: only({ op: 'get' }) },
    servers: servers.list,
  })
  const page = { op: 'list', page: 1, pageSize: 20 } as const
  const list = await prepareLoads(bench, {
    variant: { name: 'first page of 20', mix: only(page), problem: pageProblem(1, 20) },
    servers: servers.list,
  })
  for (const connections of bench.options.connections) {
    const subjects = [...get, ...list].map((load) => loadSubject({ ...load, connections }))
    await measureInRounds(bench, { scenario: 'list-1k', subjects })
  }
  closeLoads([...get, ...list])
}
