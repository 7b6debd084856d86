import type { WriteFence } from '../../../store/objects/model/write-fence.ts'
import { lockGuards } from '../../../store/objects/storage/lock-guards.ts'
import { guardFailed } from '../../../store/operations/bulk/guard-failed.ts'
import { MAX_TREES } from '../../../store/operations/bulk/create-many.ts'
import { adoptMembers } from '../../../store/members/adopt-members.ts'
import { badRequest, objectConflict } from '../../../planes/errors/failures.ts'
import type { Fleet } from '../../model/fleet.ts'
import { indexInFleet } from '../../model/fleet.ts'
import { FLEET_TYPE } from '../../types/fleet-type.ts'
import { createMembersOfFleet } from './create-members-of-fleet.ts'
import type { CreationResult, FleetRef } from '../fleet-members.ts'
import { CLAIMED_BY, CONTROLLER, groupOf, type MemberParts } from './member-parts.ts'
import type { FleetContent } from '../../model/member-content.ts'
import { readContent } from './read-content.ts'
import { guarded, guardsOf, requireFleet } from '../read-fleet.ts'

interface Missing {
  readonly names: readonly string[]
  readonly fence: WriteFence | null
}

/** Adopts the orphans of a fleet among these names, and creates the other members. */
export async function createMissing(
  parts: MemberParts,
  ref: FleetRef,
  { names, fence }: Missing,
): Promise<readonly CreationResult[]> {
  if (names.length > MAX_TREES) throw badRequest(`At most ${MAX_TREES} members per request`)
  const fleet = await requireFleet(parts, ref)
  if (fleet.isDeleting) throw objectConflict(FLEET_TYPE, fleet.name, 'the fleet is being deleted')
  const content = await readContent(parts, fleet)
  if (content === null) {
    const message = `The Scenario '${fleet.scenario ?? ''}' does not exist`
    return names.map((name) => ({ name, result: 'failed', message }))
  }
  const guards = guardsOf(parts, fleet, fence)
  return guarded(fleet.name, async () => {
    const adopted = await adopt(parts, fleet, { names, template: content.template, fence })
    const created = await createMembersOfFleet(parts, {
      fleet,
      content,
      names: names.filter((name) => !adopted.has(name)),
      guards,
      user: CONTROLLER,
    })
    const results = new Map<string, CreationResult>(
      created.map(({ name, result, message }) => [name, { name, result, message }]),
    )
    return names.map((name) => results.get(name) ?? { name, result: 'adopted', message: '' })
  })
}

async function adopt(
  parts: MemberParts,
  fleet: Fleet,
  { names, template, fence }: Missing & Pick<FleetContent, 'template'>,
): Promise<ReadonlySet<string>> {
  const { database, clock, feed } = parts.context
  const adopted = await database.transaction(async (inside) => {
    if (!(await lockGuards(inside, guardsOf(parts, fleet, fence)))) throw guardFailed()
    return adoptMembers(inside, {
      group: groupOf(parts, fleet),
      names: names.filter((name) => indexInFleet(fleet, name) !== null),
      template,
      now: clock(),
      user: CONTROLLER,
      annotation: CLAIMED_BY,
    })
  })
  if (adopted.size > 0) feed.sequencer.notifyWrite()
  return adopted
}
