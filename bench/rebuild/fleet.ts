import { clusterId } from '../data/cluster.ts'
import { CLUSTER_ADAPTERS, NODE_POOL_ADAPTERS } from '../data/cluster-state.ts'
import type { Dataset } from '../data/dataset.ts'
import { nodePoolId } from '../data/node-pool.ts'

/** The fields of a report that are compared with the stored one. */
export interface SentReport {
  readonly observed_generation: number
  readonly data: { readonly sequence: number }
}

/** A cluster or a node pool. Only one connection at a time writes it. */
export interface WriteTarget {
  readonly kind: 'Cluster' | 'NodePool'
  readonly id: string
  /** Relative to the base path. */
  readonly path: string
  readonly adapters: readonly string[]
  /** Whether it must not be deleted during the run. */
  readonly isKept: boolean
  /** The last generation seen. */
  generation: number
  isBeingDeleted: boolean
  isBusy: boolean
  /** The last acknowledged report of each adapter, which heartbeats repeat. */
  readonly reports: Map<string, SentReport>
}

/** The resources that the writers write. */
export interface Fleet {
  readonly size: number
  targets(): WriteTarget[]
  add(target: Pick<WriteTarget, 'kind' | 'id'>): void
  /** Removes a resource that was deleted or whose last write has an unknown outcome. */
  drop(target: WriteTarget): void
  /** A random resource that is not being written, or null if a few attempts find none. */
  pick(fits: (target: WriteTarget) => boolean): WriteTarget | null
  /** The next sequence number of a write. */
  nextSequence(): number
}

const MAX_ATTEMPTS = 20

export function createFleet(dataset: Dataset, keptIds: readonly string[]): Fleet {
  const all: WriteTarget[] = []
  const kept: WriteTarget[] = []
  let sequence = 0
  const add: Fleet['add'] = ({ kind, id }) => {
    const isCluster = kind === 'Cluster'
    const target: WriteTarget = {
      kind,
      id,
      path: `/${isCluster ? 'clusters' : 'nodepools'}/${id}`,
      adapters: isCluster ? CLUSTER_ADAPTERS : NODE_POOL_ADAPTERS,
      isKept: keptIds.includes(id),
      generation: 1,
      isBeingDeleted: false,
      isBusy: false,
      reports: new Map(),
    }
    all.push(target)
    if (target.isKept) kept.push(target)
  }
  for (let number = 1; number <= dataset.rows; number += 1) {
    add({ kind: 'Cluster', id: clusterId(number) })
    for (let index = 0; index < dataset.nodePoolsPerCluster; index += 1) {
      add({ kind: 'NodePool', id: nodePoolId(number, index) })
    }
  }
  const pick: Fleet['pick'] = (fits) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // Kept clusters are written more often, because their reports are copied.
      const among = Math.random() < 0.1 ? kept : all
      const target = among[Math.floor(Math.random() * among.length)]
      if (target && !target.isBusy && fits(target)) return target
    }
    return null
  }
  return {
    get size() {
      return all.length
    },
    targets: () => [...all],
    add,
    drop: (target) => {
      for (const list of [all, kept])
        if (list.includes(target)) list.splice(list.indexOf(target), 1)
    },
    pick,
    nextSequence: () => (sequence += 1),
  }
}
