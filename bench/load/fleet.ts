import { randomBytes } from 'node:crypto'

export const ADAPTERS = ['validator', 'dns', 'pullsecret', 'hypershift', 'monitoring'] as const

/** What the server has acknowledged of one adapter's last report. */
export interface Acknowledged {
  readonly generation: number
  readonly status: 'True' | 'False'
  readonly seq: number
}

/** A cluster as the load knows it. */
export interface Cluster {
  readonly id: string
  readonly name: string
  /** Specs that were acknowledged, the first one included: the server's generation. */
  generation: number
  readonly reports: Map<string, Acknowledged>
  /** Who is being written: an adapter reports, and a spec changes, by one connection at a time. */
  readonly busy: Set<string>
  /** A write ended without an answer, so that nobody knows what is stored. */
  uncertain: boolean
}

/** Everything that the load has made. */
export interface Fleet {
  /** Names and labels of this run begin with it. */
  readonly run: string
  readonly clusters: Cluster[]
  /** One of the clusters; one in ten times one of the first five, so that writers meet. */
  pick(): Cluster | null
  nextNumber(): number
  /** Reports that are checked at the end. */
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
