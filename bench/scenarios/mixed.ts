import type { Mix } from '../generator/operation.ts'
import { type Bench, standardDataset } from './bench.ts'
import { runClosedLoop } from './closed-loop.ts'

export const NODE_POOLS_PER_CLUSTER = 3

/**
 * The requests of a fleet. In 30 s, each cluster gets heartbeats of 5 adapters and each of its 3 node
 * pools gets heartbeats of 2. About every second heartbeat comes with a get, because many adapters
 * read a resource before they report on it. Polling, searches and occasional writes come on top.
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

/** All operations together, in the proportions of a fleet. */
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
