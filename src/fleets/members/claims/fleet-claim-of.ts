import type { ClaimRow } from '../../../store/members/claim-row.ts'
import { must } from '../../../lib/assert.ts'
import type { FleetClaim } from './fleet-claims.ts'
import { claimOf } from '../member-state-of.ts'

/** A claim on the wire. */
export function fleetClaimOf(fleet: string, row: ClaimRow, phase: FleetClaim['phase']): FleetClaim {
  return {
    apiVersion: 'kplane.dev/v1',
    kind: 'FleetClaim',
    fleet,
    clusterID: row.name,
    uid: row.id,
    ...must(claimOf(row), 'the claim of a claimed member'),
    phase,
  }
}
