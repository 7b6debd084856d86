import type { FleetMembers, FleetRef } from '../members/fleet-members.ts'
import type { Step } from './decide-step.ts'

/** The changes of a reconciliation, for events. */
export interface Tally {
  created: number
  adopted: number
  deleted: number
  orphaned: number
  replaced: number
  reset: number
  expired: number
}

export function newTally(): Tally {
  return { created: 0, adopted: 0, deleted: 0, orphaned: 0, replaced: 0, reset: 0, expired: 0 }
}

interface Parts {
  readonly members: FleetMembers
  readonly fleet: FleetRef
  readonly tally: Tally
  /** Receives members that could not be created. */
  readonly onFailed: (failures: readonly (readonly [name: string, message: string])[]) => void
}

/**
 * Changes members. A batch that fails does not keep the others from running; then the first
 * error is thrown.
 */
export async function runStep(parts: Parts, step: Step): Promise<void> {
  const { members, fleet, tally } = parts
  const errors: unknown[] = []
  const attempt = async (isNeeded: boolean, run: () => Promise<void>): Promise<void> => {
    if (isNeeded) await run().catch((error: unknown) => void errors.push(error))
  }
  await attempt(step.expire, async () => {
    tally.expired += await members.expire(fleet)
  })
  await attempt(step.declare.length > 0, () => members.declare(fleet, step.declare))
  await attempt(step.remove.length > 0, () => removeSurplus(parts, step))
  await attempt(step.replace.length > 0, async () => {
    const results = await members.remove(fleet, step.replace, 'Delete')
    tally.replaced += results.filter(({ result }) => result === 'removed').length
  })
  await attempt(step.create.length > 0, () => createMissing(parts, step))
  await attempt(step.reset.length > 0, async () => {
    await members.reset(fleet, step.reset)
    tally.reset += step.reset.length
  })
  if (errors.length > 0) throw errors[0]
}

async function removeSurplus({ members, fleet, tally }: Parts, step: Step): Promise<void> {
  const results = await members.remove(fleet, step.remove, step.policy)
  const removed = results.filter(({ result }) => result === 'removed').length
  if (step.policy === 'Delete') tally.deleted += removed
  else tally.orphaned += removed
}

async function createMissing(parts: Parts, { create }: Step): Promise<void> {
  const { members, fleet, tally, onFailed } = parts
  const results = await members.create(fleet, create)
  for (const { result } of results) {
    if (result === 'created' || result === 'adopted') tally[result] += 1
  }
  const failed = results.filter(({ result }) => result === 'failed')
  onFailed(failed.map(({ name, message }) => [name, message]))
}
