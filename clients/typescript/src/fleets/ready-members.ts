import { FleetDegraded } from '../errors/fleet-errors.ts'
import type { Fleet as FleetObject, FleetMember } from '../generated/kplane.ts'
import { follow } from '../watch/follow.ts'
import { watchedObjects } from '../watch/watched-objects.ts'
import type { Member } from './fleet-member.ts'
import type { FleetParts } from './fleet-parts.ts'
import { fleetPath } from './fleet-path.ts'
import { memberNames } from './member-names.ts'
import { readMembers } from './read-members.ts'

/**
 * Yields each desired member once when it becomes ready, from a watch of the members. Rejects with
 * FleetDegraded when all remaining members have failed.
 */
export async function* readyMembers(
  { transport, plane }: FleetParts,
  fleet: FleetObject,
  signal: AbortSignal | undefined,
): AsyncGenerator<Member, void, undefined> {
  const name = fleet.metadata.name ?? ''
  const pending = new Set(memberNames(fleet))
  if (pending.size === 0) return
  const failed = new Map<string, FleetMember>()
  const list = watchedObjects<FleetMember>(fleetPath(name, 'members'), { signal })
  for await (const event of follow(transport, list, { signal })) {
    if (event.type === 'BOOKMARK') {
      // Members whose name is taken are in lists only.
      for await (const { items } of readMembers(transport, name, { phase: 'Failed', signal })) {
        for (const member of items) failed.set(member.clusterID, member)
      }
    } else if ('object' in event) {
      const member = event.object
      const { clusterID, phase } = member
      failed.delete(clusterID)
      if (event.type === 'DELETED') continue
      if (phase === 'Failed') failed.set(clusterID, member)
      if (phase === 'Ready' && pending.delete(clusterID)) {
        yield { ...member, plane: plane(member.uid ?? clusterID) }
      }
    }
    if (pending.size === 0) return
    if ([...pending].every((member) => failed.has(member)))
      throw degraded(name, [...failed.values()])
  }
}

function degraded(fleet: string, failed: readonly FleetMember[]): FleetDegraded {
  const messages = failed.slice(0, 3).map(({ clusterID, message }) => `${clusterID}: ${message}`)
  return new FleetDegraded(`fleet ${fleet} is degraded: ${messages.join('; ')}`, failed)
}
