import type { Spend } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { listAt } from './arguments.ts'
import { hasItem } from './operators.ts'
import type { Declarations, Parts, PartsOf } from './function.ts'

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
  return containsOther && (yield* containsAll(other, one, spend))
}

function* intersect(args: readonly CelValue[], spend: Spend): Parts {
  for (const item of listAt(args, 0)) {
    if (yield* contains(listAt(args, 1), item, spend)) return true
  }
  return false
}

function* containsAll(
  list: readonly CelValue[],
  items: readonly CelValue[],
  spend: Spend,
): PartsOf<boolean> {
  for (const item of items) {
    if (!(yield* contains(list, item, spend))) return false
  }
  return true
}

function* contains(list: readonly CelValue[], item: CelValue, spend: Spend): PartsOf<boolean> {
  spend(1)
  yield
  return yield* hasItem(list, item, spend)
}
