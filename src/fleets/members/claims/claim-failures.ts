import { KubeError } from '../../../planes/errors/kube-error.ts'
import { KPLANE_GROUP } from '../../types/kplane-group.ts'

/** How soon a client should ask again for a member. */
const RETRY_AFTER_SECONDS = 1

function conflict(fleet: string, message: string, retryAfterSeconds?: number): KubeError {
  return new KubeError('conflict', message, {
    code: 409,
    statusReason: 'Conflict',
    details: {
      name: fleet,
      group: KPLANE_GROUP,
      kind: 'fleets',
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
    ...(retryAfterSeconds !== undefined && {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),
  })
}

/** 409: no member can be claimed now. */
export function nothingToClaim(fleet: string, clusterID: string | undefined): KubeError {
  const message =
    clusterID === undefined
      ? `Fleet '${fleet}' has no ready, unclaimed member that matches: try again later, or claim with createOnEmpty`
      : `Member '${clusterID}' of Fleet '${fleet}' is claimed or not ready: try again later, or claim another member`
  return conflict(fleet, message, RETRY_AFTER_SECONDS)
}

/** 409: the member may have the objects of others. */
export function resetRequired(fleet: string, clusterID: string): KubeError {
  return conflict(
    fleet,
    `Member '${clusterID}' of Fleet '${fleet}' cannot be claimed until it is reset: ask for it with POST fleets/${fleet}/recycle`,
  )
}

/** 409: a holder uses the member. */
export function memberClaimed(fleet: string, clusterID: string): KubeError {
  return conflict(
    fleet,
    `Member '${clusterID}' of Fleet '${fleet}' is claimed: it is reset after its release`,
    RETRY_AFTER_SECONDS,
  )
}

/** 409: the claim has expired, or was released. */
export function claimEnded(fleet: string, clusterID: string, claimID: string): KubeError {
  return conflict(
    fleet,
    `The claim '${claimID}' of member '${clusterID}' has ended: claim a member again`,
  )
}

/** 409: the fleet cannot have more members. */
export function fleetFull(fleet: string, message: string): KubeError {
  return conflict(fleet, message, RETRY_AFTER_SECONDS)
}

/** 404: the fleet has no member with this name. */
export function memberNotFound(fleet: string, clusterID: string): KubeError {
  return new KubeError('not-found', `Fleet '${fleet}' has no member '${clusterID}'`, {
    code: 404,
    statusReason: 'NotFound',
    details: { name: clusterID, group: KPLANE_GROUP, kind: 'fleets' },
  })
}
