import type { WriteFence } from '../../../store/objects/model/write-fence.ts'
import { lockGuards } from '../../../store/objects/storage/lock-guards.ts'
import { guardFailed } from '../../../store/operations/bulk/guard-failed.ts'
import { expireClaims } from '../../../store/members/expire-claims.ts'
import type { FleetRef } from '../fleet-members.ts'
import { CLAIMED_BY, CONTROLLER, type MemberParts } from '../creation/member-parts.ts'
import { guarded, guardsOf, requireFleet } from '../read-fleet.ts'

const MAX_CLAIMS = 1000

/** Marks the members whose leases have ended for a reset. Returns their number. */
export async function expireMembers(
  parts: MemberParts,
  ref: FleetRef,
  fence: WriteFence | null,
): Promise<number> {
  const { database, clock, feed } = parts.context
  const fleet = await requireFleet(parts, ref)
  const expired = await guarded(fleet.name, () =>
    database.transaction(async (inside) => {
      if (!(await lockGuards(inside, guardsOf(parts, fleet, fence)))) throw guardFailed()
      return expireClaims(inside, {
        groupUid: fleet.uid,
        now: clock(),
        user: CONTROLLER,
        annotation: CLAIMED_BY,
        limit: MAX_CLAIMS,
      })
    }),
  )
  if (expired > 0) feed.sequencer.notifyWrite()
  return expired
}
