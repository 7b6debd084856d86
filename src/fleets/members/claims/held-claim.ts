import { isStorableText } from '../../../store/database/storable-text.ts'
import type { HeldClaim } from '../../../store/members/renew-claim.ts'
import type { Fleet } from '../../model/fleet.ts'
import { claimEnded } from './claim-failures.ts'

/** A claim as a request names it. Its ID begins with the ID of the cluster. */
export function heldClaim(
  { name: fleet, uid }: Fleet,
  { clusterID, claimID }: { readonly clusterID: string; readonly claimID: string },
): HeldClaim {
  const [id = '', nonce] = claimID.split('.')
  const isStorable = isStorableText(claimID) && isStorableText(clusterID)
  if (!nonce || !isStorable) throw claimEnded(fleet, clusterID, claimID)
  return { id, groupUid: uid, claimId: claimID, name: clusterID }
}
