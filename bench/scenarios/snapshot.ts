import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { closeLoads, prepareLoads } from './prepare-loads.ts'
import { only } from './variant.ts'

/** Few enough for the cache: the warm-up fills it with all of them. */
const CLUSTERS = 200

/**
 * A snapshot, served from memory, of a cluster with three node pools and eleven reports. Measured
 * with a get of the same cluster from the database and a bare server that returns the same bytes.
 */
export async function measureSnapshot(bench: Bench): Promise<void> {
  const rows = Math.min(bench.options.rows, CLUSTERS)
  const dataset = { ...standardDataset(bench.options), rows, nodePoolsPerCluster: 3 }
  await using servers = await startServers(bench.sources, { dataset })
  const get = await prepareLoads(bench, {
    variant: { name: 'get', mix: only({ op: 'get' }) },
    servers: servers.list,
  })
  const snapshot = await prepareLoads(bench, {
    variant: { name: 'snapshot', mix: only({ op: 'snapshot' }), bare: true },
    servers: servers.list,
  })
  for (const connections of bench.options.connections) {
    const subjects = [...get, ...snapshot].map((load) => loadSubject({ ...load, connections }))
    await measureInRounds(bench, { scenario: 'snapshot', subjects })
  }
  closeLoads([...get, ...snapshot])
}
