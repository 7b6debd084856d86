import type { StatusRecord } from '../../src/store/model/status-record.ts'
import type { Resource } from '../../src/store/model/resource.ts'
import type { Database } from '../../src/store/database/database.ts'
import { type HotStatements, pgStatements } from '../../test/storage/hot-statements.ts'
import { sampleResource, sampleStatus } from '../../test/search/sample-rows.ts'

const CLUSTERS = 1000
const ADAPTERS = ['validator', 'dns', 'pullsecret', 'hypershift', 'monitoring']
/** Pads a spec to 1 KB, the size of a typical cluster's. */
const PADDING = Array.from({ length: 20 }, (_, index) => ({
  name: `member-${index}`,
  size: index * 17,
}))

/** Runs one statement. */
export type Call = (statements: HotStatements, database: Database) => Promise<unknown>

/** A cluster, with the row version that the next optimistic write expects. */
export interface StoredCluster {
  resource: Resource
  rowVersion: number
}

let inserted = 0

function fill(index: number): Resource {
  return sampleResource(index, { spec: { index, padding: PADDING } })
}

/** Stores the clusters that the calls read and write. */
export async function storeClusters(database: Database): Promise<StoredCluster[]> {
  const clusters: StoredCluster[] = []
  for (inserted = 0; inserted < CLUSTERS; inserted += 1) {
    const resource = fill(inserted)
    await pgStatements.insertResource(database, resource, null)
    let version = 1n
    for (const adapter of ADAPTERS) {
      const status = sampleStatus(adapter, inserted)
      const { conditions } = resource
      const write = {
        resource: { ...resource, version },
        conditions,
        status,
        rowVersion: 0,
        awaitsChildren: false,
      }
      await pgStatements.storeReport(database, write)
      version += 1n
    }
    clusters.push({ resource: { ...resource, version }, rowVersion: 1 })
  }
  await database.pool.query('vacuum analyze')
  return clusters
}

/** Calls of the hot statements by name. */
export function callsOn(clusters: StoredCluster[]): ReadonlyMap<string, Call> {
  const any = (): StoredCluster => clusters[Math.floor(Math.random() * clusters.length)] ?? fail()
  const report = (): StatusRecord => sampleStatus('dns', Math.floor(Math.random() * 1e6))
  return new Map<string, Call>([
    [
      'insert a cluster',
      ({ insertResource }, database) => insertResource(database, fill((inserted += 1)), null),
    ],
    [
      'get a cluster',
      ({ readResources }, database) =>
        readResources(database, [{ id: any().resource.id, cachedVersion: null }]),
    ],
    [
      'list 20 clusters and count',
      ({ listResources }, database) =>
        listResources(database, { kind: 'Cluster', ownerId: null, limit: 20, offset: 100 }),
    ],
    [
      'read for a report',
      ({ readForReport }, database) =>
        readForReport(database, { kind: 'Cluster', id: any().resource.id }, 'dns'),
    ],
    [
      'store a report',
      async ({ storeReport }, database) => {
        const target = any()
        const { resource, rowVersion } = target
        const write = {
          resource,
          conditions: resource.conditions,
          status: report(),
          rowVersion,
          awaitsChildren: false,
        }
        if (!(await storeReport(database, write))) fail()
        target.resource = { ...resource, version: resource.version + 1n }
        target.rowVersion += 1
      },
    ],
    [
      'refresh the times of a report',
      async ({ touchReport }, database) => {
        const target = any()
        const { resource, rowVersion } = target
        if (!(await touchReport(database, { resource, status: report(), rowVersion }))) fail()
        target.rowVersion += 1
      },
    ],
  ])
}

function fail(): never {
  throw new Error('a statement had no effect, so the measurement is invalid')
}
