import type { JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { StateCount } from '../state-counts.ts'
import {
  type ConditionFamily,
  isInFamily,
} from '../../hyperfleet/statuses/conditions/condition-family.ts'

interface Input {
  readonly kinds: readonly RegisteredKind[]
  readonly states: Iterable<StateCount>
  readonly family: ConditionFamily
}

/** The counts of kinds in the format of the overview. */
export function countKinds({ kinds, states, family }: Input): readonly JsonObject[] {
  const all = [...states]
  return kinds.map(({ kind }) => {
    const own = all.filter(({ state }) => state.kind === kind)
    return {
      kind,
      total: sum(own),
      ready: sum(own.filter(({ state }) => state.isReady === true)),
      not_ready: sum(own.filter(({ state }) => state.isReady === false)),
      deleting: sum(own.filter(({ state }) => state.isDeleting)),
      conditions: conditionsOf(own, family),
      waiting_for: waitingFor(own),
    }
  })
}

function sum(states: readonly StateCount[]): number {
  return states.reduce((total, { count }) => total + count, 0)
}

function conditionsOf(
  states: readonly StateCount[],
  family: ConditionFamily,
): readonly JsonObject[] {
  const counts = new Map<string, number>()
  for (const { state, count } of states) {
    for (const { type, status, reason } of state.conditions) {
      if (!isInFamily(type, family)) continue
      const key = JSON.stringify({ type, status, reason })
      counts.set(key, (counts.get(key) ?? 0) + count)
    }
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]): JsonObject => ({ ...JSON.parse(key), count }))
}

function waitingFor(states: readonly StateCount[]): readonly JsonObject[] {
  const counts = new Map<string, number>()
  for (const { state, count } of states) {
    for (const adapter of state.waitingFor) counts.set(adapter, (counts.get(adapter) ?? 0) + count)
  }
  return [...counts]
    .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .map(([adapter, count]) => ({ adapter, count }))
}
