import type { Change } from '../../store/model/change.ts'
import type { Following } from '../../store/feed/broadcaster.ts'
import { listMembers, type MemberPageQuery } from '../../store/members/list-members.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Fleet } from '../model/fleet.ts'
import { memberQuery } from './compare-fleet.ts'
import { createMemberEvents, type MemberEvents } from './member-events.ts'
import type { MemberParts } from './creation/member-parts.ts'
import { memberStateOf } from './member-state-of.ts'
import { readFleet } from './read-fleet.ts'
import type { MemberSubscriber, MemberSubscription, MemberWatchOptions } from './watch-members.ts'

const PAGE_SIZE = 1000
/** How long a watch waits for a revision that this server has not reached. */
const FUTURE_TIMEOUT_MS = 3000

/** Sends the members of a fleet and their changes from the log of resources. */
export async function followMembers(
  parts: MemberParts,
  name: string,
  { from, phase }: MemberWatchOptions,
  subscriber: MemberSubscriber,
): Promise<MemberSubscription> {
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
  const following = await follow(parts, after, { events, subscriber })
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
  readonly subscriber: MemberSubscriber
}

/** Sends the existing members. Returns the revision of the first page. */
async function sendInitial(
  parts: MemberParts,
  fleet: Fleet,
  { events, phase, subscriber }: Receivers & { readonly phase: MemberPageQuery['phase'] },
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
    if (page.remaining === 0 || !last) {
      subscriber.onInitialEnd?.(revision)
      return revision
    }
    after = last
    await subscriber.ready()
  }
}

async function follow(
  { context: { feed } }: MemberParts,
  after: bigint,
  { events, subscriber }: Receivers,
): Promise<Following> {
  const { broadcaster } = feed
  if (!(await broadcaster.waitFor(after, FUTURE_TIMEOUT_MS))) {
    throw new FlotillaError('timeout', `Too large resource version: ${after}`)
  }
  const { epoch } = broadcaster.resourceVersion
  return broadcaster.follow(
    { epoch, revision: after },
    {
      onChanges: (changes: readonly Change[]) => events.receive(changes),
      onLost: subscriber.onLost,
      ready: async () => {
        await events.idle()
        await subscriber.ready()
      },
    },
  )
}
