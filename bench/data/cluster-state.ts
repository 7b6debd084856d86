/** How a cluster is doing: which of its adapters reports that it failed. */
export type ClusterState = 'healthy' | 'degraded' | 'no-pull-secret'

export const CLUSTER_STATES: readonly ClusterState[] = ['healthy', 'degraded', 'no-pull-secret']

/** The four adapters that a cluster needs by default, and one more. */
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

/** What an adapter says of a cluster in this state. */
export function verdictOf(state: ClusterState, adapter: string): 'True' | 'False' {
  return FAILING[state] === adapter ? 'False' : 'True'
}
