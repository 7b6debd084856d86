import type { Mix } from '../generator/operation.ts'
import { type Bench, standardDataset } from './bench.ts'
import { runClosedLoop } from './closed-loop.ts'

export const NODE_POOLS_PER_CLUSTER = 3

/**
 * A fleet at work, for each cluster and its node pools in 30 s: a heartbeat of each of 5 adapters,
 * and of 2 for each of 3 node pools; a read before every second heartbeat, as adapters do that look
 * at what they report on; some polling of lists, and now and then a change.
 */
export const FLEET_MIX: Mix = [
  [50, { op: 'report-same' }],
  [60, { op: 'report-node-pool' }],
  [3, { op: 'report-flip' }],
  [30, { op: 'get' }],
  [25, { op: 'get-node-pool' }],
  [4, { op: 'list-statuses' }],
  [4, { op: 'list-node-pools' }],
  [3, { op: 'poll', pageSize: 100 }],
  [4, { op: 'search', form: 'condition', breadth: 'selective' }],
  [4, { op: 'search', form: 'label', breadth: 'selective' }],
  [1, { op: 'create', specBytes: [1024, 10_240] }],
  [1, { op: 'patch' }],
]

/** Everything at once, as a fleet's adapters and users send it. */
export async function measureMixed(bench: Bench): Promise<void> {
  const dataset = {
    ...standardDataset(bench.options),
    nodePoolsPerCluster: NODE_POOLS_PER_CLUSTER,
  }
  await runClosedLoop(bench, {
    name: 'mixed',
    dataset,
    variants: [{ name: 'mixed', mix: FLEET_MIX }],
  })
}
