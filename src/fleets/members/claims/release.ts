import { deleteMany } from '../../../store/operations/bulk/delete-many.ts'
import { lockClaim } from '../../../store/members/lock-claim.ts'
import { readMemberships } from '../../../store/members/read-memberships.ts'
import { releaseClaim } from '../../../store/members/release-claim.ts'
import type { HeldClaim } from '../../../store/members/renew-claim.ts'
import { resourceExists } from '../../../store/resources/resource-exists.ts'
import type { Fleet } from '../../model/fleet.ts'
import { claimEnded } from './claim-failures.ts'
import type { Claimant, FleetRelease, ReleaseRequest } from './fleet-claims.ts'
import { heldClaim } from './held-claim.ts'
import { CLAIMED_BY, type MemberParts } from '../creation/member-parts.ts'
import { readFleet } from '../read-fleet.ts'

/** Ends a claim. Ending it again is not an error, nor after its member was removed. */
export async function release(
  parts: MemberParts,
  name: string,
  { request, claimant }: { readonly request: ReleaseRequest; readonly claimant: Claimant },
): Promise<FleetRelease> {
  const { clusterID, then = 'Recycle' } = request
  const fleet = await readFleet(parts, name)
  const held = heldClaim(fleet, request)
  const released =
    then === 'Delete'
      ? await deleteClaimed(parts, held, claimant)
      : await endClaim(parts, held, {
          claimant,
          state: then === 'Keep' ? 'Available' : 'Recycling',
        })
  if (!released) await requireEnded(parts, fleet, held)
  // oxlint-disable-next-line unicorn/no-thenable -- the name on the wire
  return { apiVersion: 'kplane.dev/v1', kind: 'FleetRelease', clusterID, then }
}

interface Ending {
  readonly claimant: Claimant
  readonly state: 'Available' | 'Recycling'
}

async function endClaim(
  { context }: MemberParts,
  held: HeldClaim,
  { claimant, state }: Ending,
): Promise<boolean> {
  const ending = { ...held, state, now: context.clock(), annotation: CLAIMED_BY }
  const released = await releaseClaim(context.database, { ...ending, user: claimant.user })
  if (released) context.feed.sequencer.notifyWrite()
  return released
}

async function deleteClaimed(
  { context, kind, tenant }: MemberParts,
  held: HeldClaim,
  caller: Claimant,
): Promise<boolean> {
  const { id } = held
  const deletion = { kind, tenant, ids: [id] }
  const outcomes = await deleteMany(context, deletion, {
    caller,
    select: async (database, ids) => ((await lockClaim(database, held)) ? ids : []),
  })
  const outcome = outcomes.get(id)
  if (outcome?.status === 'failed') throw outcome.error
  return outcome?.status === 'deleted'
}

/** 409 unless this claim was the last one of its member, or the member is gone. */
async function requireEnded(
  { context, kind }: MemberParts,
  fleet: Fleet,
  { id, claimId, name }: HeldClaim,
): Promise<void> {
  const { database } = context
  const row = (await readMemberships(database, [id])).get(id)
  if (row?.last_claim_id === claimId || row?.is_live === false) return
  const exists = await resourceExists(database, { kind: kind.kind, id })
  if (row || exists) throw claimEnded(fleet.name, name, claimId)
}
