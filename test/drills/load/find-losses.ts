import type { JsonValue } from '../../../src/lib/json/json.ts'
import { CLUSTERS, compareWithLedger, type LoadContext } from './cluster-writes.ts'
import type { LedgerCluster } from './ledger.ts'
import { sendPersistently } from './persistent-request.ts'

const PAGE = 1000

interface Options extends LoadContext {
  /** Prefix of the names of the load's clusters. */
  readonly name: string
}

type Resource = Readonly<Record<string, JsonValue>>

/** Compares the ledger with the server after the load, and returns the writes that the server lost. */
export async function findLosses(options: Options): Promise<readonly string[]> {
  const { ledger } = options
  const stored = new Map((await readClusters(options)).map((one) => [String(one['name']), one]))
  const losses: string[] = []
  for (const cluster of ledger.clusters.values()) {
    const resource = stored.get(cluster.name)
    stored.delete(cluster.name)
    const loss = await lossOf(options, cluster, resource)
    if (loss !== null) losses.push(loss)
  }
  for (const name of stored.keys()) losses.push(`${name} exists, but was never written`)
  return losses
}

async function lossOf(
  context: LoadContext,
  cluster: LedgerCluster,
  resource: Resource | undefined,
): Promise<string | null> {
  const { name, deletion, id, report } = cluster
  if (deletion === 'acknowledged') {
    return resource === undefined ? null : `${name} exists, and its deletion was acknowledged`
  }
  // The outcome of the create or of the deletion is unknown.
  if (id === null || (deletion === 'attempted' && resource === undefined)) return null
  if (resource === undefined) return `${name} is missing`
  const loss = compareWithLedger(cluster, resource)
  if (loss !== null || report === 0) return loss
  const decided = await sendPersistently(
    { method: 'GET', path: `${CLUSTERS}/${id}/statuses` },
    context,
  )
  const [status] = itemsOf(decided?.body ?? {})
  const sequence = Number(Object(status?.['data']).sequence ?? 0)
  if (sequence === report || cluster.uncertainReports.has(sequence)) return null
  return `${name} has report ${sequence} instead of ${report}`
}

/** Reads all clusters of the load in ranges of IDs. */
async function readClusters(options: Options): Promise<readonly Resource[]> {
  const clusters: Resource[] = []
  for (let last = ''; ;) {
    const search = encodeURIComponent(`name like '${options.name}-%' and id > '${last}'`)
    const path = `${CLUSTERS}?orderBy=id&pageSize=${PAGE}&search=${search}`
    const decided = await sendPersistently({ method: 'GET', path }, options)
    if (decided?.status !== 200)
      throw new Error(`the list failed: ${JSON.stringify(decided?.body)}`)
    const items = itemsOf(decided.body)
    clusters.push(...items)
    if (items.length < PAGE) return clusters
    last = String(items.at(-1)?.['id'])
  }
}

function itemsOf({ items }: Resource): readonly Resource[] {
  return Array.isArray(items) ? items : []
}
