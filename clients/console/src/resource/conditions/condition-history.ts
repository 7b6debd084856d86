import type { ResourceChange, ResourceCondition } from '../../../../typescript/src/index.ts'

/** A time in which a condition had one status and reason. */
export interface ConditionPeriod {
  readonly status: 'True' | 'False' | null
  readonly reason: string
  readonly message: string
  /** Milliseconds since 1970; null if the log does not contain the start. */
  readonly from: number | null
  /** Null if the period has not ended. */
  readonly to: number | null
}

/** The periods of a condition, oldest first. */
export interface ConditionHistory {
  readonly type: string
  readonly periods: readonly ConditionPeriod[]
}

/** The history of each condition, from its current state back through the changes, newest first. */
export function conditionHistories(
  conditions: readonly ResourceCondition[],
  changes: readonly ResourceChange[],
): readonly ConditionHistory[] {
  return conditions.map((condition) => ({
    type: condition.type,
    periods: periodsOf(condition, changes),
  }))
}

function periodsOf(
  condition: ResourceCondition,
  changes: readonly ResourceChange[],
): readonly ConditionPeriod[] {
  const { status, reason = '', message = '', last_transition_time: transition } = condition
  let open: ConditionPeriod = { status, reason, message, from: null, to: null }
  const periods: ConditionPeriod[] = []
  for (const { time, conditions = [] } of changes) {
    const found = conditions.find(({ type }) => type === condition.type)
    if (found === undefined || isSame(found.old, found.new)) continue
    const at = Date.parse(time)
    periods.unshift({ ...open, from: at })
    open = {
      status: found.old?.status ?? null,
      reason: found.old?.reason ?? '',
      message: found.old?.message ?? '',
      from: null,
      to: at,
    }
  }
  if (periods.length === 0) return [{ ...open, from: Date.parse(transition) }]
  return open.status === null ? periods : [open, ...periods]
}

type State = { readonly status: string; readonly reason?: string | undefined } | null

/** A new message alone does not start a period. */
function isSame(one: State, other: State): boolean {
  return one?.status === other?.status && one?.reason === other?.reason
}
