import type { ResourceCondition } from '../store/model/condition.ts'

/** The parts of a condition that people read. */
export type ConditionState = Pick<ResourceCondition, 'status' | 'reason' | 'message'>

/** A condition whose status, reason or message changed. */
export interface ConditionDifference {
  readonly type: string
  /** Null if the resource did not have the condition. */
  readonly old: ConditionState | null
  readonly new: ConditionState | null
}

/** The conditions that differ in more than times and generations, in the order of the newer ones. */
export function conditionDifferences(
  before: readonly ResourceCondition[],
  after: readonly ResourceCondition[],
): readonly ConditionDifference[] {
  const types = new Set([...after, ...before].map(({ type }) => type))
  return [...types].flatMap((type) => {
    const old = stateOf(before, type)
    const next = stateOf(after, type)
    return isSame(old, next) ? [] : [{ type, old, new: next }]
  })
}

function stateOf(conditions: readonly ResourceCondition[], type: string): ConditionState | null {
  const found = conditions.find((condition) => condition.type === type)
  if (found === undefined) return null
  const { status, reason, message } = found
  return {
    status,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  }
}

function isSame(one: ConditionState | null, other: ConditionState | null): boolean {
  return (
    one?.status === other?.status &&
    one?.reason === other?.reason &&
    one?.message === other?.message
  )
}
