import type { SubresourceEndpoint } from '../../planes/model/native-resource.ts'
import type { Members } from '../members/create-members.ts'
import { claimEndpoints } from './claim-endpoints.ts'
import { controllerEndpoints } from './controller-endpoints.ts'
import { memberEndpoints } from './member-endpoints.ts'

/** The endpoints of fleets, by the name of their subresource. */
export function fleetEndpoints(members: Members): Readonly<Record<string, SubresourceEndpoint>> {
  const { createMembers, ...others } = controllerEndpoints(members.membersOf)
  return {
    ...claimEndpoints(members.of),
    ...others,
    members: { ...memberEndpoints(members.of), create: createMembers },
  }
}
