import type { WriteFence } from '../../store/objects/model/write-fence.ts'
import type { Resource } from '../../store/model/resource.ts'
import { lockGuards } from '../../store/objects/storage/lock-guards.ts'
import { guardFailed } from '../../store/operations/bulk/guard-failed.ts'
import { finishReset } from '../../store/members/finish-reset.ts'
import { lockMembers } from '../../store/members/lock-members.ts'
import { readMemberships } from '../../store/members/read-memberships.ts'
import { readTrees, type Tree } from '../../store/resources/trees.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { objectConflict } from '../../planes/errors/failures.ts'
import { type Fleet, indexInFleet } from '../model/fleet.ts'
import { FLEET_TYPE } from '../types/fleet-type.ts'
import type { FleetRef } from './fleet-members.ts'
import { CONTROLLER, type MemberParts } from './creation/member-parts.ts'
import { instantiateSeeds } from './creation/member-seeds.ts'
import { membersPerWrite } from './creation/members-per-write.ts'
import type { FleetContent } from '../model/member-content.ts'
import { readContent } from './creation/read-content.ts'
import { guarded, guardsOf, requireFleet } from './read-fleet.ts'
import { resetResources } from './reset-resources.ts'

interface Reset {
  readonly ids: readonly string[]
  readonly fence: WriteFence | null
}

/** A member whose cluster and node pools have been reset. */
interface ResetMember {
  readonly resource: Resource
  /** The version of the cluster after its reset. */
  readonly version: bigint
}

/** A reset of one fleet. */
interface Work {
  readonly fleet: Fleet
  readonly content: FleetContent
  readonly fence: WriteFence | null
}

/**
 * Returns recycled members to their initial content. They stay in the state Recycling until the
 * last commit, which empties and seeds their planes, so an interrupted reset is repeated.
 */
export async function resetMembers(
  parts: MemberParts,
  ref: FleetRef,
  { ids, fence }: Reset,
): Promise<void> {
  const fleet = await requireFleet(parts, ref)
  const content = await readContent(parts, fleet)
  if (content === null) {
    throw objectConflict(FLEET_TYPE, fleet.name, `the Scenario '${fleet.scenario}' does not exist`)
  }
  const { database } = parts.context
  // Read before the states: a later change of a state raises the version of the cluster.
  const trees = await readTrees(database, { kind: parts.kind.kind, tenant: parts.tenant, ids })
  const memberships = await readMemberships(database, ids)
  const recycled = [...trees.values()].filter(([{ resource }]) => {
    const row = memberships.get(resource.id)
    return row?.state === 'Recycling' && row.group_uid === fleet.uid
  })
  const ready = await resetAll(parts, { fleet, content, fence }, recycled)
  for (const chunk of chunksOf(ready, () => 1, membersPerWrite(content.content))) {
    await guarded(fleet.name, () => finish(parts, { fleet, content, fence }, chunk))
  }
}

/** Resets clusters and node pools. Returns the members without skipped ones. */
async function resetAll(
  parts: MemberParts,
  { fleet, content }: Work,
  recycled: readonly Tree[],
): Promise<readonly ResetMember[]> {
  const results = await Promise.all(
    recycled.map(async (tree) => {
      try {
        const version = await resetResources(parts, { fleet, content: content.content }, tree)
        return [{ resource: tree[0].resource, version }]
      } catch (error) {
        if (error instanceof FlotillaError && SKIPPED.has(error.reason)) return []
        throw error
      }
    }),
  )
  return results.flat()
}

/**
 * The member stays Recycling until the next comparison: it has changed, or its name makes the new
 * content invalid.
 */
const SKIPPED: ReadonlySet<string> = new Set([
  'precondition-failed',
  'not-found',
  'state-conflict',
  'already-exists',
  'invalid',
])

/** Skips clusters that have changed since their reset: a later holder may have changed the spec. */
async function finish(
  parts: MemberParts,
  { fleet, content, fence }: Work,
  resets: readonly ResetMember[],
): Promise<void> {
  const [first] = resets
  if (!first) return
  const { context, store } = parts
  const now = context.clock()
  const versions = new Map(resets.map(({ resource, version }) => [resource.id, version]))
  const members = resets.map(({ resource }) => {
    const { id, name, createdTime } = resource
    return { plane: id, name, createdTime, index: indexInFleet(fleet, name) ?? 0, now }
  })
  const compiled = await parts.seeds.compile(content, members[0] ?? { name: '', index: 0 })
  if ('message' in compiled) throw objectConflict(FLEET_TYPE, fleet.name, compiled.message)
  const { seeds } = await instantiateSeeds(compiled, members)
  await context.database.transaction(async (inside) => {
    if (!(await lockGuards(inside, guardsOf(parts, fleet, fence)))) throw guardFailed()
    const ids = seeds.map(({ plane }) => plane)
    const locked = await lockMembers(inside, { ids, groupUid: fleet.uid, states: ['Recycling'] })
    const unchanged = locked.filter(({ id, version }) => versions.get(id) === version)
    const isLocked = new Set(unchanged.map(({ id }) => id))
    await store().resetPlanes(
      inside,
      seeds.filter(({ plane }) => isLocked.has(plane)),
    )
    const finished = { ids: [...isLocked], template: content.template, now, user: CONTROLLER }
    await finishReset(inside, finished)
  })
  store().notifyWrite()
  context.feed.sequencer.notifyWrite()
}
