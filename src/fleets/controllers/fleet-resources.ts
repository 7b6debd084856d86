import type { ResourceName } from '../../planes/controllers/client/plane-client.ts'

export const FLEETS: ResourceName = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }
export const SCENARIOS: ResourceName = { group: 'kplane.dev', version: 'v1', plural: 'scenarios' }
/** The finalizer that keeps a deleted Fleet until its members are removed. */
export const FINALIZER = 'kplane.dev/members'
/** The label of a member's cluster: the name of its fleet. */
export const FLEET_LABEL = 'kplane.dev/fleet'
