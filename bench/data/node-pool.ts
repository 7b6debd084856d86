import type { SeedRow } from './insert-rows.ts'
import { clusterId, clusterOf } from './cluster.ts'
import type { Dataset } from './dataset.ts'
import { seededRandom } from './seeded-random.ts'
import { specOf } from './spec.ts'

const SPEC_BYTES = 600

/** The id of a node pool of a cluster; `index` starts at 0. */
export function nodePoolId(cluster: number, index: number): string {
  return `2P${String(cluster).padStart(20, '0')}${String(index).padStart(5, '0')}`
}

/** A node pool of a dataset. Node pools are always healthy. */
export function nodePoolRow(dataset: Dataset, cluster: number, index: number): SeedRow {
  const { labels, createdTime } = clusterOf({ ...dataset, specBytes: [1, 1] }, cluster)
  return {
    id: nodePoolId(cluster, index),
    name: `pool-${index}`,
    owner_id: clusterId(cluster),
    labels,
    spec: specOf(seededRandom(cluster * 100 + index), SPEC_BYTES),
    created_time: createdTime,
    state: 'healthy',
  }
}
