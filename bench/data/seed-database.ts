import type pg from 'pg'
import type { Kind } from '../../src/core/registry/kind.ts'
import { cluster } from '../../src/apis/hyperfleet/kinds/cluster/kind.ts'
import { nodePool } from '../../src/apis/hyperfleet/kinds/node-pool/kind.ts'
import { CLUSTER_ADAPTERS, CLUSTER_STATES, NODE_POOL_ADAPTERS, verdictOf } from './cluster-state.ts'
import { clusterOf } from './cluster.ts'
import type { Dataset } from './dataset.ts'
import { type Batch, insertRows, type SeedRow } from './insert-rows.ts'
import { nodePoolRow } from './node-pool.ts'
import { storedState, type StoredState } from './stored-state.ts'

const BATCH_BYTES = 4_000_000
const LARGEST_BATCH = 2000

/** Fills the tables of a migrated database with a dataset; rows that are there already stay. */
export async function seedDatabase(client: pg.Client, dataset: Dataset): Promise<void> {
  await client.query('set statement_timeout = 0')
  await announceChanges(client, 'disable')
  const size = batchSize(dataset)
  const clusterStates = statesOf(cluster, dataset.reports ? CLUSTER_ADAPTERS : [])
  const poolStates = statesOf(nodePool, dataset.reports ? NODE_POOL_ADAPTERS : [])
  let inserting: Promise<void> = Promise.resolve()
  const insert = async (batch: Batch): Promise<void> => {
    await inserting
    inserting = insertRows(client, batch)
    // A failure is seen where it is waited for.
    inserting.catch(() => undefined)
  }
  for (let first = 1; first <= dataset.rows; first += size) {
    // Rows are made while those before them are stored.
    const numbers = range(first, Math.min(first + size - 1, dataset.rows))
    const rows = numbers.map((number) => clusterRow(dataset, number))
    await insert({ kind: cluster.kind, rows, states: clusterStates })
    const pools = numbers.flatMap((number) =>
      range(0, dataset.nodePoolsPerCluster - 1).map((index) => nodePoolRow(dataset, number, index)),
    )
    if (pools.length > 0) await insert({ kind: nodePool.kind, rows: pools, states: poolStates })
  }
  await inserting
  await announceChanges(client, 'enable')
  await client.query('select recount_resources()')
  await client.query('vacuum analyze resources, adapter_statuses')
}

/** Seeded rows are no changes: they would go through the log before everything else. */
async function announceChanges(client: pg.Client, action: 'enable' | 'disable'): Promise<void> {
  for (const table of ['resources', 'adapter_statuses']) {
    await client.query(`alter table ${table} ${action} trigger user`)
  }
}

function clusterRow(dataset: Dataset, number: number): SeedRow {
  const { id, name, labels, spec, createdTime, state } = clusterOf(dataset, number)
  return { id, name, owner_id: '', labels, spec, created_time: createdTime, state }
}

/** As the clusters' states, so that a node pool's can be looked up by the same names. */
function statesOf(kind: Kind, adapters: readonly string[]): ReadonlyMap<string, StoredState> {
  return new Map(
    CLUSTER_STATES.map((state) => {
      const verdicts = adapters.map((adapter) => [adapter, verdictOf(state, adapter)] as const)
      return [state, storedState(kind, new Map(verdicts))]
    }),
  )
}

function batchSize({ specBytes: [, most] }: Dataset): number {
  return Math.max(1, Math.min(LARGEST_BATCH, Math.floor(BATCH_BYTES / most)))
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
