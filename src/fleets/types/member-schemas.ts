import type { Schema } from '../../planes/model/schema.ts'
import { choice, definition, flag, text, time } from '../../planes/native/schemas/field-schemas.ts'
import { DEFINITIONS } from './kplane-group.ts'

const CLAIM: Schema = definition(`${DEFINITIONS}.FleetMemberClaim`, {
  description: 'The lease of a claimed member.',
  properties: {
    holder: text('Name that the claim gave for its holder.'),
    claimID: text('Identifies the claim in renewals and in the release.'),
    claimedTime: time('Start of the claim.'),
    expiresTime: time('End of the lease; absent if it has no end.'),
  },
  required: ['holder', 'claimID', 'claimedTime'],
})

/** The fields of a member. */
export const MEMBER_PROPERTIES: Readonly<Record<string, Schema>> = {
  clusterID: text('Name of the cluster.'),
  uid: text('ID of the cluster; absent while the member does not exist.'),
  phase: choice(
    ['Pending', 'Ready', 'Failed'],
    'Pending until the member is ready. Failed if it cannot be created.',
  ),
  message: text('Explanation for readers.'),
  lastTransitionTime: time('Last time the phase changed.'),
  claim: CLAIM,
  resetRequired: flag(
    'Whether the member cannot be claimed until a client asks for its reset, because it may have objects of others.',
  ),
}

/** A member in the status of a fleet. */
export const MEMBER_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetMember`, {
  description: 'A member of a fleet.',
  properties: MEMBER_PROPERTIES,
  required: ['clusterID', 'phase'],
})

/** The fields of a claim, for responses. */
export const CLAIM_PROPERTIES = CLAIM.properties ?? {}
