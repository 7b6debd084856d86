import { isSameValue, type Spend } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { listAt } from './arguments.ts'
import type { Declarations, Parts } from './function.ts'

/** Functions of lists as sets. */
export const SETS: Declarations = [
  [
    'sets.contains(list<A>, list<A>): bool',
    { parts: (args, spend) => containsAll(listAt(args, 0), listAt(args, 1), spend) },
  ],
  ['sets.equivalent(list<A>, list<A>): bool', { parts: areEquivalent }],
  ['sets.intersects(list<A>, list<A>): bool', { parts: intersect }],
]

function* areEquivalent(args: readonly CelValue[], spend: Spend): Parts {
  const [one, other] = [listAt(args, 0), listAt(args, 1)]
  const containsOther = yield* containsAll(one, other, spend)
  return containsOther === true ? yield* containsAll(other, one, spend) : false
}

function* intersect(args: readonly CelValue[], spend: Spend): Parts {
  for (const item of listAt(args, 0)) {
    if (contains(listAt(args, 1), item, spend)) return true
    yield
  }
  return false
}

function* containsAll(list: readonly CelValue[], items: readonly CelValue[], spend: Spend): Parts {
  for (const item of items) {
    if (!contains(list, item, spend)) return false
    yield
  }
  return true
}

function contains(list: readonly CelValue[], item: CelValue, spend: Spend): boolean {
  spend(1 + list.length)
  return list.some((other) => isSameValue(item, other, spend))
}
