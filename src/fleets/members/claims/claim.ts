import { setTimeout as sleep } from 'node:timers/promises'
import { type ClaimAttempt, claimMember } from '../../../store/members/claim-member.ts'
import { isStorableText } from '../../../store/database/storable-text.ts'
import { findMember } from '../../../store/members/find-member.ts'
import { newId } from '../../../lib/ids.ts'
import { objectConflict, objectInvalid } from '../../../planes/errors/failures.ts'
import { parseLabelSelector } from '../../../planes/selectors/parse-label-selector.ts'
import type { Fleet } from '../../model/fleet.ts'
import { FLEET_TYPE } from '../../types/fleet-type.ts'
import { type CheckedClaim, claimNew } from './claim-new.ts'
import { memberNotFound, nothingToClaim, resetRequired } from './claim-failures.ts'
import type { Claimant, ClaimOutcome, ClaimRequest } from './fleet-claims.ts'
import { fleetClaimOf } from './fleet-claim-of.ts'
import { leaseSecondsOf } from './lease-seconds.ts'
import { CLAIMED_BY, groupOf, type MemberParts } from '../creation/member-parts.ts'
import { readFleet } from '../read-fleet.ts'

/** Attempts while available members are locked, for example by a report. */
const ATTEMPTS = 4
const PAUSE_MS = 5

/** Claims a ready, unclaimed member, or creates one if the request allows it. */
export async function claim(
  parts: MemberParts,
  name: string,
  { request, claimant }: { readonly request: ClaimRequest; readonly claimant: Claimant },
): Promise<ClaimOutcome> {
  const checked = checkedClaim(request, claimant)
  const fleet = await readFleet(parts, name)
  if (fleet.isDeleting) throw objectConflict(FLEET_TYPE, name, 'the fleet is being deleted')
  const { clusterID, createOnEmpty = false } = request
  if (!isStorableText(clusterID ?? '')) throw memberNotFound(name, clusterID ?? '')
  const claimed = await claimExisting(parts, fleet, checked)
  if (claimed) {
    parts.context.feed.sequencer.notifyWrite()
    const { kept } = claimed
    const given = fleetClaimOf(name, claimed, 'Ready')
    return { claim: { ...given, ...(kept && { kept }) }, created: false }
  }
  if (clusterID !== undefined) await requireMember(parts, fleet, clusterID)
  if (!createOnEmpty || clusterID !== undefined) throw nothingToClaim(name, clusterID)
  return { claim: await claimNew(parts, fleet, checked), created: true }
}

function checkedClaim(request: ClaimRequest, { user }: Claimant): CheckedClaim {
  const { holder, ttlSeconds, labelSelector = '' } = request
  if (holder === '' || !isStorableText(holder)) {
    throw objectInvalid({ group: FLEET_TYPE.group, kind: 'FleetClaimRequest' }, '', [
      { field: 'holder', reason: 'FieldValueInvalid', message: 'must be text without NUL' },
    ])
  }
  return {
    request,
    selector: { labels: parseLabelSelector(labelSelector), fields: [] },
    leaseSeconds: leaseSecondsOf('FleetClaimRequest', ttlSeconds),
    user,
  }
}

async function claimExisting(parts: MemberParts, fleet: Fleet, checked: CheckedClaim) {
  for (let attempt = 1; ; attempt += 1) {
    const { claimed, hasCandidate } = await claimOnce(parts, fleet, checked)
    if (claimed !== null || !hasCandidate || attempt === ATTEMPTS) return claimed
    await sleep(PAUSE_MS * attempt)
  }
}

function claimOnce(
  parts: MemberParts,
  fleet: Fleet,
  { request, selector, leaseSeconds, user }: CheckedClaim,
): Promise<ClaimAttempt> {
  const { database, clock } = parts.context
  const now = clock()
  return claimMember(database, {
    group: groupOf(parts, fleet),
    requiresReady: fleet.requiresReady,
    selector,
    name: request.clusterID ?? null,
    holder: request.holder,
    nonce: newId(now),
    leaseSeconds,
    annotation: CLAIMED_BY,
    now,
    user,
  })
}

/** Fails if the fleet has no such member, or if waiting for it is useless. */
async function requireMember(parts: MemberParts, fleet: Fleet, clusterID: string): Promise<void> {
  const found = await findMember(parts.context.database, groupOf(parts, fleet), clusterID)
  if (found === null) throw memberNotFound(fleet.name, clusterID)
  if (found.state === 'Unclean') throw resetRequired(fleet.name, clusterID)
}
