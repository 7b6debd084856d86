import { clusterId } from '../data/cluster.ts'
import { CLUSTER_ADAPTERS, NODE_POOL_ADAPTERS } from '../data/cluster-state.ts'
import type { Dataset } from '../data/dataset.ts'
import { nodePoolId } from '../data/node-pool.ts'

/** A cluster or a node pool that is written to, by one connection at a time. */
export interface Written {
  readonly kind: 'Cluster' | 'NodePool'
  readonly id: string
  /** Below the base path. */
  readonly path: string
  readonly adapters: readonly string[]
  /** Whether it stays to the end. */
  readonly isKept: boolean
  /** As far as it is known. */
  generation: number
  isBeingDeleted: boolean
  isBusy: boolean
  /** The last report of each adapter, which a heartbeat says again. */
  readonly reports: Map<string, object>
}

/** What the load writes to. */
export interface Fleet {
  readonly size: number
  add(one: Pick<Written, 'kind' | 'id'>): void
  /** It is gone, or nobody knows any more how its last write ended. */
  drop(one: Written): void
  /** One that nobody writes to, by chance; null where chance finds none. */
  pick(fits: (one: Written) => boolean): Written | null
  /** Numbers writes. */
  nextTurn(): number
}

const TRIES = 20

export function createFleet(dataset: Dataset, keptIds: readonly string[]): Fleet {
  const all: Written[] = []
  const kept: Written[] = []
  let turn = 0
  const add: Fleet['add'] = ({ kind, id }) => {
    const isCluster = kind === 'Cluster'
    const one: Written = {
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
    all.push(one)
    if (one.isKept) kept.push(one)
  }
  for (let number = 1; number <= dataset.rows; number += 1) {
    add({ kind: 'Cluster', id: clusterId(number) })
    for (let index = 0; index < dataset.nodePoolsPerCluster; index += 1) {
      add({ kind: 'NodePool', id: nodePoolId(number, index) })
    }
  }
  const pick: Fleet['pick'] = (fits) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      // Those whose reports are rebuilt are written to more often.
      const among = Math.random() < 0.1 ? kept : all
      const one = among[Math.floor(Math.random() * among.length)]
      if (one && !one.isBusy && fits(one)) return one
    }
    return null
  }
  return {
    get size() {
      return all.length
    },
    add,
    drop: (one) => {
      for (const list of [all, kept]) if (list.includes(one)) list.splice(list.indexOf(one), 1)
    },
    pick,
    nextTurn: () => (turn += 1),
  }
}
