import type { WriteFence } from '../../../store/objects/model/write-fence.ts'
import { lockGuards } from '../../../store/objects/storage/lock-guards.ts'
import { declareMany } from '../../../store/operations/bulk/declare-many.ts'
import { guardFailed } from '../../../store/operations/bulk/guard-failed.ts'
import type { FleetRef } from '../fleet-members.ts'
import { CONTROLLER, type MemberParts } from './member-parts.ts'
import { guarded, guardsOf, requireFleet } from '../read-fleet.ts'

interface Declaration {
  readonly ids: readonly string[]
  readonly fence: WriteFence | null
}

/** Makes members and their node pools require the adapters that their fleet declares. */
export async function declareAdapters(
  parts: MemberParts,
  ref: FleetRef,
  { ids, fence }: Declaration,
): Promise<void> {
  const { context, kind } = parts
  const fleet = await requireFleet(parts, ref)
  const trees = { kind: kind.kind, tenant: parts.tenant, ids }
  await guarded(fleet.name, () =>
    declareMany(context, trees, {
      requiredAdapters: fleet.requiredAdapters,
      user: CONTROLLER,
      lock: async (inside) => {
        if (!(await lockGuards(inside, guardsOf(parts, fleet, fence)))) throw guardFailed()
      },
    }),
  )
}
