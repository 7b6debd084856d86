import { isSameValue, type Spend } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { listAt } from './arguments.ts'
import type { Declarations } from './function.ts'

/** Functions of lists as sets. */
export const SETS: Declarations = [
  [
    'sets.contains(list<A>, list<A>): bool',
    (args, spend) => containsAll(listAt(args, 0), listAt(args, 1), spend),
  ],
  [
    'sets.equivalent(list<A>, list<A>): bool',
    (args, spend) =>
      containsAll(listAt(args, 0), listAt(args, 1), spend) &&
      containsAll(listAt(args, 1), listAt(args, 0), spend),
  ],
  [
    'sets.intersects(list<A>, list<A>): bool',
    (args, spend) => listAt(args, 0).some((item) => containsAll(listAt(args, 1), [item], spend)),
  ],
]

function containsAll(list: readonly CelValue[], items: readonly CelValue[], spend: Spend): boolean {
  return items.every((item) => {
    spend(1 + list.length)
    return list.some((other) => isSameValue(item, other, spend))
  })
}
