import type { FleetMember } from '../generated/kplane.ts'
import { follow } from '../watch/follow.ts'
import { watchedObjects } from '../watch/watched-objects.ts'
import type { Member } from './fleet-member.ts'
import type { FleetParts } from './fleet-parts.ts'
import { fleetPath } from './fleet-path.ts'

interface ReadyMembers {
  readonly fleet: string
  /** The number of members after which the iteration ends. */
  readonly count: number
  readonly signal: AbortSignal | undefined
}

/** Yields each member once when it becomes ready, from a watch of the members. */
export async function* readyMembers(
  { transport, plane }: FleetParts,
  { fleet, count, signal }: ReadyMembers,
): AsyncGenerator<Member, void, undefined> {
  const seen = new Set<string>()
  const list = watchedObjects<FleetMember>(fleetPath(fleet, 'members'), {}, signal)
  if (count === 0) return
  for await (const event of follow(transport, list, { signal })) {
    if (!('object' in event) || event.type === 'DELETED') continue
    const member = event.object
    const key = member.uid ?? member.clusterID
    if (member.phase !== 'Ready' || seen.has(key)) continue
    seen.add(key)
    yield { ...member, plane: plane(member.uid ?? member.clusterID) }
    if (seen.size >= count) return
  }
}
