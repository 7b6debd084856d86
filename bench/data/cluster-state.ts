/** The state of a cluster: which of its adapters, if any, reports a failure. */
export type ClusterState = 'healthy' | 'degraded' | 'no-pull-secret'

export const CLUSTER_STATES: readonly ClusterState[] = ['healthy', 'degraded', 'no-pull-secret']

/** The four adapters that a cluster requires by default, and an optional one. */
export const CLUSTER_ADAPTERS = [
  'validator',
  'dns',
  'pullsecret',
  'hypershift',
  'monitoring',
] as const

export const NODE_POOL_ADAPTERS = ['validator', 'hypershift'] as const

const FAILING: Readonly<Record<ClusterState, string | null>> = {
  healthy: null,
  degraded: 'hypershift',
  'no-pull-secret': 'pullsecret',
}

/** The number of reports when every adapter reports once on each of `rows` clusters. */
export function fleetReportCount(rows: number): number {
  return rows * CLUSTER_ADAPTERS.length
}

/** The `Available` status that an adapter reports for a cluster in this state. */
export function reportedStatus(state: ClusterState, adapter: string): 'True' | 'False' {
  return FAILING[state] === adapter ? 'False' : 'True'
}
