import type { Change, ResourceChange } from '../../store/model/change.ts'
import { readMemberships, type MembershipRow } from '../../store/members/read-memberships.ts'
import type { MemberEntry } from '../../store/members/member-entry.ts'
import { type Fleet, indexInFleet } from '../model/fleet.ts'
import { FLEET_LABEL } from '../types/kplane-group.ts'
import type { MemberParts } from './creation/member-parts.ts'
import type { MemberState } from './member-state.ts'
import { memberStateOf } from './member-state-of.ts'
import type { MemberSubscriber } from './watch-members.ts'

interface Options {
  readonly parts: MemberParts
  readonly fleet: Fleet
  readonly phase: MemberState['phase'] | null
  /** Whether the client was sent all members at the start. */
  readonly isComplete: boolean
  readonly onEvent: MemberSubscriber['onEvent']
  /** The claims of a batch could not be read: the watch has to begin again. */
  readonly onError: () => void
}

/** Converts changes of clusters to events of members, in order. */
export interface MemberEvents extends Disposable {
  /** Records that the client has this member. */
  sent(id: string): void
  receive(changes: readonly Change[]): void
  /** Resolves when all received changes have been sent. */
  idle(): Promise<void>
  /** The revision up to which changes were sent, if the feed has reached `reached`. */
  revisionOf(reached: bigint): bigint
}

/** Reads the memberships of each batch of changes, because changes of clusters lack them. */
export function createMemberEvents(options: Options): MemberEvents {
  const { parts, fleet, isComplete, onEvent } = options
  const known = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  let pending = 0
  let sentRevision = 0n
  let isClosed = false

  function send(change: ResourceChange, row: MembershipRow | undefined): void {
    const { id } = change.resource
    const entry = row === undefined ? null : entryOf(fleet, change, row)
    const isMember = entry !== null && isMatch(options, entry)
    if (!isMember && !known.has(id) && isComplete) return
    // A watch that resumed does not know what the client has. Removing an unknown member is safe.
    if (!isMember && !known.has(id) && !wasMember(change)) return
    const isNew = !known.has(id) && isFirst(options, change)
    const type = isMember ? (isNew ? 'ADDED' : 'MODIFIED') : 'DELETED'
    if (isMember) known.add(id)
    else known.delete(id)
    const state = memberStateOf(entry ?? removedEntry(change), fleet.createdTime)
    onEvent(type, state, change.revision)
  }

  async function sendAll(changes: readonly ResourceChange[], revision: bigint): Promise<void> {
    const live = changes.filter(({ type }) => type !== 'DELETED').map(({ resource }) => resource.id)
    const ids = [...new Set(live)]
    const rows = ids.length === 0 ? null : await readMemberships(parts.context.database, ids)
    if (isClosed) return
    for (const change of changes) send(change, rows?.get(change.resource.id))
    sentRevision = revision
  }

  return {
    sent: (id) => void known.add(id),
    receive: (changes) => {
      const revision = changes.at(-1)?.revision ?? sentRevision
      const concerned = changes.filter((change) => concerns(options, change))
      if (concerned.length === 0 && pending === 0) {
        sentRevision = revision
        return
      }
      pending += 1
      last = last
        .then(() => sendAll(concerned, revision))
        .catch(() => {
          if (!isClosed) options.onError()
        })
        .finally(() => {
          pending -= 1
        })
    },
    idle: () => last,
    revisionOf: (reached) => (pending === 0 ? reached : sentRevision),
    [Symbol.dispose]: () => {
      isClosed = true
    },
  }
}

function concerns({ parts, fleet }: Options, change: Change): change is ResourceChange {
  if (change.subject !== 'resource' || change.resource.kind !== parts.kind.kind) return false
  const { resource, before } = change
  return hasLabel(resource.labels, fleet) || (before !== null && hasLabel(before.labels, fleet))
}

/** Labels are JSON text: parsing is needed only if they contain the name. */
function hasLabel(labels: string, { name }: Fleet): boolean {
  if (!labels.includes(FLEET_LABEL)) return false
  const parsed: Readonly<Record<string, unknown>> = JSON.parse(labels)
  return parsed[FLEET_LABEL] === name
}

/** The member after a change; null if the cluster is no longer one. */
function entryOf(
  fleet: Fleet,
  { resource }: ResourceChange,
  row: MembershipRow,
): MemberEntry<Date> | null {
  const isMember =
    row.group_uid === fleet.uid && resource.deletedTime === null && hasLabel(resource.labels, fleet)
  if (!isMember) return null
  const ready = resource.conditions.find(({ type }) => type === 'Ready')
  const isReady = row.state !== 'Recycling' && (!fleet.requiresReady || ready?.status === 'True')
  const changed = fleet.requiresReady && ready ? new Date(ready.last_transition_time) : null
  return {
    ...row,
    index: indexInFleet(fleet, resource.name),
    name: resource.name,
    id: resource.id,
    phase: isReady ? 'Ready' : 'Pending',
    transition_time: changed && changed > row.transition_time ? changed : row.transition_time,
  }
}

/** Whether the cluster may have been a member before the change. */
function wasMember({ type, resource }: ResourceChange): boolean {
  // A deletion is sent when it begins, not again when the last adapter has finished.
  return type === 'MODIFIED' || (type === 'DELETED' && resource.deletedTime === null)
}

/** Whether a member is new to the client. After a resumption, existing clusters are known to it. */
function isFirst({ isComplete, phase }: Options, { type }: ResourceChange): boolean {
  return isComplete || phase !== null || type === 'ADDED'
}

function isMatch({ phase }: Options, entry: MemberEntry<Date>): boolean {
  return phase === null || entry.phase === phase
}

function removedEntry({ resource }: ResourceChange): MemberEntry<Date> {
  return {
    index: null,
    name: resource.name,
    id: resource.id,
    phase: 'Pending',
    state: null,
    holder: null,
    claim_id: null,
    claimed_time: null,
    expires_time: null,
    transition_time: resource.updatedTime,
  }
}
