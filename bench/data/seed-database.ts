import type pg from 'pg'
import type { Kind } from '../../src/store/registry/kind.ts'
import { cluster } from '../../src/hyperfleet/kinds/cluster/kind.ts'
import { nodePool } from '../../src/hyperfleet/kinds/node-pool/kind.ts'
import {
  CLUSTER_ADAPTERS,
  CLUSTER_STATES,
  NODE_POOL_ADAPTERS,
  reportedStatus,
} from './cluster-state.ts'
import { clusterOf } from './cluster.ts'
import type { Dataset } from './dataset.ts'
import { type Batch, insertRows, type SeedRow } from './insert-rows.ts'
import { nodePoolRow } from './node-pool.ts'
import { storedState, type StoredState } from './stored-state.ts'

const BATCH_BYTES = 4_000_000
const MAX_BATCH_ROWS = 2000

/** Inserts a dataset into a migrated database. Leaves existing rows unchanged. */
export async function seedDatabase(client: pg.Client, dataset: Dataset): Promise<void> {
  await client.query('set statement_timeout = 0')
  await setTriggers(client, 'disable')
  const size = batchSize(dataset)
  const clusterStates = statesOf(cluster, dataset.reports ? CLUSTER_ADAPTERS : [])
  const poolStates = statesOf(nodePool, dataset.reports ? NODE_POOL_ADAPTERS : [])
  let inserting: Promise<void> = Promise.resolve()
  const insert = async (batch: Batch): Promise<void> => {
    await inserting
    inserting = insertRows(client, batch)
    // The next await of this promise reports a failure.
    inserting.catch(() => undefined)
  }
  for (let first = 1; first <= dataset.rows; first += size) {
    // Generates a batch while PostgreSQL inserts the previous one.
    const numbers = range(first, Math.min(first + size - 1, dataset.rows))
    const rows = numbers.map((number) => clusterRow(dataset, number))
    await insert({ kind: cluster.kind, rows, states: clusterStates })
    const pools = numbers.flatMap((number) =>
      range(0, dataset.nodePoolsPerCluster - 1).map((index) => nodePoolRow(dataset, number, index)),
    )
    if (pools.length > 0) await insert({ kind: nodePool.kind, rows: pools, states: poolStates })
  }
  await inserting
  await setTriggers(client, 'enable')
  await client.query('select recount_resources()')
  await client.query('vacuum analyze resources, adapter_statuses')
}

/** Keeps seeded rows out of the change feed, which would otherwise have to process them first. */
async function setTriggers(client: pg.Client, action: 'enable' | 'disable'): Promise<void> {
  for (const table of ['resources', 'adapter_statuses']) {
    await client.query(`alter table ${table} ${action} trigger user`)
  }
}

function clusterRow(dataset: Dataset, number: number): SeedRow {
  const { id, name, labels, spec, createdTime, state } = clusterOf(dataset, number)
  return { id, name, owner_id: '', labels, spec, created_time: createdTime, state }
}

/** Node pools use the keys of clusters, although they are always healthy. */
function statesOf(kind: Kind, adapters: readonly string[]): ReadonlyMap<string, StoredState> {
  return new Map(
    CLUSTER_STATES.map((state) => {
      const statuses = adapters.map((adapter) => [adapter, reportedStatus(state, adapter)] as const)
      return [state, storedState(kind, new Map(statuses))]
    }),
  )
}

function batchSize({ specBytes: [, max] }: Dataset): number {
  return Math.max(1, Math.min(MAX_BATCH_ROWS, Math.floor(BATCH_BYTES / max)))
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
