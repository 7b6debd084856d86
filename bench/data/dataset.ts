/** The resources of a measurement. The same values always give the same resources. */
export interface Dataset {
  readonly seed: number
  /** Number of clusters. */
  readonly rows: number
  /** Minimum and maximum size of a spec as JSON. */
  readonly specBytes: readonly [number, number]
  /** Whether every adapter has reported on every resource. */
  readonly reports: boolean
  readonly nodePoolsPerCluster: number
}

/** Clusters per team, and clusters without a pull secret: the matches of a selective search. */
export const SELECTIVE_MATCHES = 20

/** The number of teams. It grows with the fleet, so that the size of a team stays the same. */
export function teamsOf({ rows }: Pick<Dataset, 'rows'>): number {
  return Math.max(1, Math.floor(rows / SELECTIVE_MATCHES))
}
