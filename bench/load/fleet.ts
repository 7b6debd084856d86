import { randomBytes } from 'node:crypto'

/** The last acknowledged report of an adapter. */
export interface Acknowledged {
  readonly generation: number
  readonly status: 'True' | 'False'
  readonly seq: number
}

/** A cluster and its acknowledged writes. */
export interface Cluster {
  readonly id: string
  readonly name: string
  /** The expected generation: the number of acknowledged specs, including the first. */
  generation: number
  readonly reports: Map<string, Acknowledged>
  /** Adapters, or `spec`, with a write in flight: only one connection at a time writes each. */
  readonly busy: Set<string>
  /** A write ended without a response, so the stored state is unknown. */
  uncertain: boolean
}

/** The clusters that the load has created. */
export interface Fleet {
  /** Prefix of names and value of a label in this run. */
  readonly run: string
  readonly clusters: Cluster[]
  /** A random cluster. One pick in ten is among the first five, so that writers contend. */
  pick(): Cluster | null
  nextNumber(): number
  /** Number of acknowledged reports. */
  acknowledged(): number
}

export function createFleet(): Fleet {
  const clusters: Cluster[] = []
  let number = 0
  return {
    run: `load-${randomBytes(3).toString('hex')}`,
    clusters,
    pick: () => {
      const among = Math.random() < 0.1 ? Math.min(5, clusters.length) : clusters.length
      return clusters[Math.floor(Math.random() * among)] ?? null
    },
    nextNumber: () => (number += 1),
    acknowledged: () => clusters.reduce((sum, { reports }) => sum + reports.size, 0),
  }
}
