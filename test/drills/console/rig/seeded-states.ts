import { storedState, type StoredState } from '../../../../bench/data/stored-state.ts'
import { cluster } from '../../../../src/hyperfleet/kinds/cluster/kind.ts'

export interface SeededState extends StoredState {
  readonly name: string
}

/** Every 31st cluster is not ready, for one of four reasons in turn. */
export const NOT_READY_EVERY = 31

const ADAPTERS = cluster.requiredAdapters

/** The states of the seeded clusters, computed by the server's own functions: the first is ready. */
export function seededStates(): readonly SeededState[] {
  return [
    state('ready', {}),
    state('provisioning-failed', { hypershift: 'False' }),
    state('no-pull-secret', { pullsecret: 'False' }),
    state('no-dns-report', { dns: null }),
    state('no-report', Object.fromEntries(ADAPTERS.map((adapter) => [adapter, null]))),
  ]
}

/** The names of the states that are not ready, in the order in which the seed uses them. */
export function notReadyStates(): readonly string[] {
  return seededStates()
    .slice(1)
    .map(({ name }) => name)
}

/** The state after the reports of all required adapters; null omits the report of an adapter. */
function state(name: string, failures: Readonly<Record<string, 'False' | null>>): SeededState {
  const reports = ADAPTERS.flatMap((adapter) => {
    const failure = failures[adapter]
    return failure === null ? [] : [[adapter, failure ?? 'True'] as const]
  })
  return { name, ...storedState(cluster, new Map(reports)) }
}
