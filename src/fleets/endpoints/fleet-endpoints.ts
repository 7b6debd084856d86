import type { SubresourceEndpoint } from '../../planes/model/native-resource.ts'
import type { FleetClaims } from '../members/claims/fleet-claims.ts'
import type { FleetMembersOf } from '../members/fleet-members.ts'
import type { ListMembers } from '../members/member-list.ts'
import type { WatchMembers } from '../members/watch-members.ts'
import { claimEndpoints } from './claim-endpoints.ts'
import { controllerEndpoints } from './controller-endpoints.ts'
import { memberEndpoints } from './member-endpoints.ts'

/** The operations on members that the endpoints of fleets offer. */
export interface FleetOperations {
  readonly membersOf: FleetMembersOf
  readonly claims: FleetClaims
  readonly listMembers: ListMembers
  readonly watchMembers: WatchMembers
}

/** The endpoints of fleets, by the name of their subresource. */
export function fleetEndpoints(
  operations: FleetOperations,
): Readonly<Record<string, SubresourceEndpoint>> {
  const { createMembers, ...others } = controllerEndpoints(operations.membersOf)
  return {
    ...claimEndpoints(operations.claims),
    ...others,
    members: { ...memberEndpoints(operations), create: createMembers },
  }
}
