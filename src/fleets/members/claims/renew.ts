import { renewClaim } from '../../../store/members/renew-claim.ts'
import { findMember } from '../../../store/members/find-member.ts'
import { claimEnded, memberNotFound } from './claim-failures.ts'
import type { Claimant, FleetClaim, RenewRequest } from './fleet-claims.ts'
import { fleetClaimOf } from './fleet-claim-of.ts'
import { heldClaim } from './held-claim.ts'
import { leaseSecondsOf } from './lease-seconds.ts'
import { groupOf, type MemberParts } from '../creation/member-parts.ts'
import { readFleet } from '../read-fleet.ts'

/** Extends the lease of a claim that has not ended. */
export async function renew(
  parts: MemberParts,
  name: string,
  { request, claimant }: { readonly request: RenewRequest; readonly claimant: Claimant },
): Promise<FleetClaim> {
  const { database, clock, feed } = parts.context
  const { clusterID, claimID } = request
  const leaseSeconds = leaseSecondsOf('FleetRenewal', request.ttlSeconds)
  const fleet = await readFleet(parts, name)
  const held = heldClaim(fleet, request)
  const renewal = { ...held, leaseSeconds, now: clock(), user: claimant.user }
  const renewed = await renewClaim(database, renewal)
  if (renewed) {
    feed.sequencer.notifyWrite()
    return fleetClaimOf(name, renewed, 'Ready')
  }
  const member = await findMember(database, groupOf(parts, fleet), clusterID)
  throw member === null ? memberNotFound(name, clusterID) : claimEnded(name, clusterID, claimID)
}
