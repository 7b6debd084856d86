import type {
  FleetClaim,
  FleetClaimRequest,
  FleetReleaseRequest,
  FleetRenewal,
} from '../../../typescript/src/generated/kplane.ts'
import { client } from '../session/connection.ts'
import { FLEETS_PATH } from './fleet-objects.ts'

/**
 * Claims a member. The console does not renew claims in the background, as programs do: a claim ends
 * when the user says so.
 */
export function claimMember(fleet: string, body: FleetClaimRequest): Promise<FleetClaim> {
  return post(fleet, 'claim', body)
}

/** Extends the lease of a claim by its former length. */
export function renewClaim(fleet: string, body: FleetRenewal): Promise<FleetClaim> {
  return post(fleet, 'renew', body)
}

/** Ends a claim. */
export function releaseClaim(fleet: string, body: FleetReleaseRequest): Promise<unknown> {
  return post(fleet, 'release', body)
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the document names the type
function post<T>(fleet: string, verb: string, body: unknown): Promise<T> {
  const path = `${FLEETS_PATH}/${encodeURIComponent(fleet)}/${verb}`
  return client.plane('root').request<T>({ method: 'POST', path, body })
}
