import { compareMembers } from '../../store/members/compare-members.ts'
import type { MemberNaming, MemberQuery } from '../../store/members/member-entries.ts'
import type { Fleet } from '../model/fleet.ts'
import type { Comparison, FleetRef } from './fleet-members.ts'
import { instant, memberStateOf } from './member-state-of.ts'
import { groupOf, type MemberParts, REMOVE_FIRST } from './creation/member-parts.ts'
import { readContent } from './creation/read-content.ts'
import { requireFleet } from './read-fleet.ts'

/** The members that a fleet wants, for statements. */
export function memberQuery(parts: MemberParts, fleet: Fleet): MemberQuery {
  return {
    group: groupOf(parts, fleet),
    naming: namingOf(parts, fleet),
    requiresReady: fleet.requiresReady,
    removeFirst: REMOVE_FIRST,
  }
}

/** Compares a fleet with its members. */
export async function compareFleet(
  parts: MemberParts,
  ref: FleetRef,
  skip: readonly string[],
): Promise<Comparison> {
  const { context, kind } = parts
  const fleet = await requireFleet(parts, ref)
  const content = await readContent(parts, fleet)
  const found = await compareMembers(context.database, {
    ...memberQuery(parts, fleet),
    template: content?.template ?? '',
    now: context.clock(),
    skip,
    requiredAdapters: kind.requiredAdapters,
    declaredAdapters: fleet.requiredAdapters,
    // A fleet that is being deleted, or has no Scenario, resets no member.
    resetsSurplus: fleet.scaleDownPolicy === 'Orphan' && !fleet.isDeleting && content !== null,
  })
  const { members, ready, available, updated, claimed, failed, terminating } = found
  return {
    wanted: found.wanted,
    counts: { members, ready, available, updated, claimed, failed, terminating },
    missing: found.missing,
    surplus: found.surplus,
    awaitedSurplus: found.awaited_surplus,
    // Without its Scenario, a fleet does not know its content.
    outdated: content === null ? [] : found.outdated,
    recycling: found.recycling,
    unclean: found.unclean,
    undeclared: found.undeclared,
    expired: found.expired,
    nextExpiry: found.next_expiry && instant(found.next_expiry),
    firstClaim: found.first_claim && instant(found.first_claim),
    missingScenario: content === null ? fleet.scenario : null,
    waitingFor: found.waiting_for,
    conflicts: found.conflicts,
    members: found.entries.map((entry) => memberStateOf(entry, fleet.createdTime)),
  }
}

function namingOf({ maxReplicas }: MemberParts, fleet: Fleet): MemberNaming {
  const { naming, isDeleting, replicas, minReady } = fleet
  if (isDeleting) return { type: 'none' }
  if (naming.type === 'names') return naming
  return { ...naming, replicas, minReady, maxWanted: maxReplicas }
}
