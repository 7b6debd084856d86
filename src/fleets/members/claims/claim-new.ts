import type { ObjectSelector } from '../../../store/objects/model/object-query.ts'
import { matchesSelector } from '../../../store/objects/selection/matches-selector.ts'
import { findFreeIndex } from '../../../store/members/find-free-index.ts'
import type { Claim } from '../../../store/model/member.ts'
import { newId } from '../../../lib/ids.ts'
import type { Fleet } from '../../model/fleet.ts'
import { memberName } from '../../model/member-name.ts'
import { fleetFull, nothingToClaim } from './claim-failures.ts'
import { type Created, createMembersOfFleet } from '../creation/create-members-of-fleet.ts'
import type { ClaimRequest, FleetClaim } from './fleet-claims.ts'
import { fleetClaimOf } from './fleet-claim-of.ts'
import type { MemberParts } from '../creation/member-parts.ts'
import { desiredMember } from '../creation/plan-member.ts'
import type { FleetContent } from '../../model/member-content.ts'
import { readContent } from '../creation/read-content.ts'
import { guarded, guardsOf } from '../read-fleet.ts'

/** A claim after its checks. */
export interface CheckedClaim {
  readonly request: ClaimRequest
  readonly selector: ObjectSelector
  readonly leaseSeconds: number | null
  readonly user: string
}

/** Attempts if other servers create members with the same names. */
const ATTEMPTS = 10

/** Creates one more member, claimed from the start. */
export async function claimNew(
  parts: MemberParts,
  fleet: Fleet,
  checked: CheckedClaim,
): Promise<FleetClaim> {
  const { writes } = parts.context
  const { naming } = fleet
  if (naming.type === 'names') throw nothingToClaim(fleet.name, undefined)
  const content = await readContent(parts, fleet)
  if (content === null) {
    throw fleetFull(fleet.name, `The Scenario '${fleet.scenario}' of the fleet does not exist`)
  }
  // One after the other, because they look for the same free index.
  return writes.run(`new member of ${fleet.uid}`, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const name = await freeName(parts, fleet, naming.prefix)
      if (!isSelected(parts, { fleet, content, name }, checked)) {
        throw nothingToClaim(fleet.name, undefined)
      }
      const created = await guarded(fleet.name, () =>
        createClaimed(parts, { fleet, content, name }, checked),
      )
      if (created !== null) return created
    }
    throw nothingToClaim(fleet.name, undefined)
  })
}

interface NewMember {
  readonly fleet: Fleet
  readonly content: FleetContent
  readonly name: string
}

async function freeName(parts: MemberParts, fleet: Fleet, prefix: string): Promise<string> {
  const { context, kind, maxReplicas, tenant } = parts
  const names = { tenant, kind: kind.kind, prefix, groupUid: fleet.uid }
  const { index, members } = await findFreeIndex(context.database, names)
  if (members >= maxReplicas) {
    const message = `Fleet '${fleet.name}' has ${members} members, which is the limit`
    throw fleetFull(fleet.name, message)
  }
  return memberName(prefix, index)
}

/** Whether the labels of the new member match the selector of the claim. */
function isSelected(
  parts: MemberParts,
  { fleet, content, name }: NewMember,
  { selector }: CheckedClaim,
): boolean {
  if (selector.labels.length === 0) return true
  const plan = { fleet: fleet.name, content: content.content }
  const { labels } = desiredMember(parts, plan, { name, index: 0 })
  return matchesSelector(selector, { namespace: '', name, labels, fieldOf: () => '' })
}

/** Null if the name was taken meanwhile. */
async function createClaimed(
  parts: MemberParts,
  { fleet, content, name }: NewMember,
  { request: { holder }, leaseSeconds, user }: CheckedClaim,
): Promise<FleetClaim | null> {
  const now = parts.context.clock()
  const nonce = newId(now)
  const claimOf = (id: string): Claim & { readonly leaseSeconds: number | null } => ({
    holder,
    claimId: `${id}.${nonce}`,
    // Members have times in milliseconds.
    claimedTime: new Date(now.getTime()),
    expiresTime: leaseSeconds === null ? null : new Date(now.getTime() + leaseSeconds * 1000),
    leaseSeconds,
  })
  const guards = guardsOf(parts, fleet, null)
  const creation = { fleet, content, names: [name], guards, user, holder, claimOf }
  const [created] = await createMembersOfFleet(parts, creation)
  if (!created || created.result === 'conflict') return null
  return claimOfCreated(fleet, created, claimOf)
}

function claimOfCreated(
  fleet: Fleet,
  { id, name, message, limit }: Created,
  claimOf: (id: string) => Claim,
): FleetClaim {
  if (limit) throw limit
  if (id === null) throw fleetFull(fleet.name, `A new member cannot be created: ${message}`)
  const { holder, claimId, claimedTime, expiresTime } = claimOf(id)
  const row = {
    id,
    name,
    holder,
    claim_id: claimId,
    claimed_time: claimedTime,
    expires_time: expiresTime,
  }
  return fleetClaimOf(fleet.name, row, fleet.requiresReady ? 'Pending' : 'Ready')
}
