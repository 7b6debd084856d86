/** The resources that a measurement begins with: the same ones for the same values. */
export interface Dataset {
  readonly seed: number
  /** Clusters. */
  readonly rows: number
  /** Smallest and largest spec, as JSON. */
  readonly specBytes: readonly [number, number]
  /** Whether all adapters have reported on every resource. */
  readonly reports: boolean
  readonly nodePoolsPerCluster: number
}

/** Clusters to a team, and clusters without a pull secret: the matches of a selective search. */
export const SELECTIVE_MATCHES = 20

/** Number of teams, so that each has as many clusters however large the fleet is. */
export function teamsOf({ rows }: Pick<Dataset, 'rows'>): number {
  return Math.max(1, Math.floor(rows / SELECTIVE_MATCHES))
}
