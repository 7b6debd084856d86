import type { ChangeSubscription } from '../../store/objects/model/change-subscriber.ts'
import { listMembers, type MemberPageQuery } from '../../store/members/list-members.ts'
import type { Fleet } from '../model/fleet.ts'
import { memberQuery } from './compare-fleet.ts'
import { createMemberEvents, type MemberEvents } from './member-events.ts'
import type { MemberParts } from './creation/member-parts.ts'
import { memberStateOf } from './member-state-of.ts'
import { readFleet } from './read-fleet.ts'
import type { MemberSubscriber, MemberWatchOptions } from './watch-members.ts'

const PAGE_SIZE = 1000

interface FollowedMembers extends MemberWatchOptions {
  /** The name of the fleet. */
  readonly fleet: string
}

/** Sends the members of a fleet and their changes from the log of resources. */
export async function followMembers(
  parts: MemberParts,
  { fleet: name, from, phase }: FollowedMembers,
  subscriber: MemberSubscriber,
): Promise<ChangeSubscription> {
  const fleet = await readFleet(parts, name)
  const selected = phase ?? null
  const events = createMemberEvents({
    parts,
    fleet,
    phase: selected,
    isComplete: from === null,
    onEvent: subscriber.onEvent,
    onError: subscriber.onLost,
  })
  const after = from ?? (await sendInitial(parts, fleet, { events, phase: selected, subscriber }))
  const following = await parts.context.feed.broadcaster.followRevision(after, {
    onChanges: (changes) => events.receive(changes),
    onLost: subscriber.onLost,
    ready: async () => {
      await events.idle()
      await subscriber.ready()
    },
  })
  return {
    get revision() {
      return events.revisionOf(following.resourceVersion.revision)
    },
    [Symbol.dispose]: () => {
      events[Symbol.dispose]()
      following[Symbol.dispose]()
    },
  }
}

interface Receivers {
  readonly events: MemberEvents
  readonly phase: MemberPageQuery['phase']
  readonly subscriber: MemberSubscriber
}

/** Sends the existing members. Returns the revision of the first page. */
async function sendInitial(
  parts: MemberParts,
  fleet: Fleet,
  { events, phase, subscriber }: Receivers,
): Promise<bigint> {
  let first: bigint | null = null
  let after: MemberPageQuery['after'] = null
  for (;;) {
    const query = { ...memberQuery(parts, fleet), phase, after, limit: PAGE_SIZE }
    const page = await listMembers(parts.context.database, query)
    const revision: bigint = (first ??= page.revision)
    for (const entry of page.entries) {
      // A slot without a member is no object yet.
      if (entry.id === null || entry.state === null) continue
      events.sent(entry.id)
      subscriber.onEvent('ADDED', memberStateOf(entry, fleet.createdTime), revision)
    }
    const last = page.entries.at(-1)
    if (page.remaining === 0 || !last) return revision
    after = last
    await subscriber.ready()
  }
}
