import { CelError } from '../cel-error.ts'
import { compareValues, isNumber, isSameValue, type Spend } from '../values/compare-values.ts'
import { durationOf } from '../values/times.ts'
import { CelDuration, CelOptional, CelUint, type CelValue, isList } from '../values/value.ts'
import { intAt, listAt, valueAt } from './arguments.ts'
import type { Declarations, Run } from './function.ts'
import { checkedInt, checkedUint } from './operators.ts'

const MAX_RANGE = 1_000_000n

/** The types whose lists can be ordered. */
const ORDERED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']
const SUMMED = ['int', 'uint', 'double', 'duration']

/** A function of a list that looks at all items. */
function onList(run: (list: readonly CelValue[], spend: Spend) => CelValue): Run {
  return (args, spend) => {
    const list = listAt(args, 0)
    spend(1 + list.length)
    return run(list, spend)
  }
}

const sorted = onList((list, spend) => sortedBy(list, list, spend))

/** Functions of lists in Kubernetes and in CEL's extension of lists. */
export const LISTS: Declarations = [
  ...ORDERED.flatMap((type): [string, Run][] => [
    [`list<${type}>#isSorted(): bool`, onList(isSorted)],
    [`list<${type}>#min(): ${type}`, onList((list, spend) => best(list, 'min', -1, spend))],
    [`list<${type}>#max(): ${type}`, onList((list, spend) => best(list, 'max', 1, spend))],
    [`list<${type}>#sort(): list<${type}>`, sorted],
  ]),
  ...SUMMED.map((type): [string, Run] => [
    `list<${type}>#sum(): ${type}`,
    onList((list) => sum(list, type)),
  ]),
  [
    'list<A>#indexOf(A): int',
    (args, spend) => BigInt(listAt(args, 0).findIndex((item) => isWanted(item, args, spend))),
  ],
  [
    'list<A>#lastIndexOf(A): int',
    (args, spend) => BigInt(listAt(args, 0).findLastIndex((item) => isWanted(item, args, spend))),
  ],
  ['list<A>#slice(int, int): list<A>', slice],
  ['list<list<A>>#flatten(): list<A>', (args, spend) => flattened(listAt(args, 0), 1n, spend)],
  [
    'list<dyn>#flatten(int): list<dyn>',
    (args, spend) => flattened(listAt(args, 0), intAt(args, 1), spend),
  ],
  ['lists.range(int): list<int>', range],
  ['list<A>#distinct(): list<A>', onList(distinct)],
  ['list<A>#reverse(): list<A>', onList((list) => list.toReversed())],
  ['list<A>#first(): optional<A>', (args) => optionalItem(listAt(args, 0), 0)],
  ['list<A>#last(): optional<A>', (args) => optionalItem(listAt(args, 0), -1)],
  [
    'list<A>#@sortByAssociatedKeys(list<B>): list<A>',
    (args, spend) => sortedBy(listAt(args, 0), listAt(args, 1), spend),
  ],
]

function isWanted(item: CelValue, args: readonly CelValue[], spend: Spend): boolean {
  spend(1)
  return isSameValue(item, valueAt(args, 1), spend)
}

function isSorted(list: readonly CelValue[], spend: Spend): boolean {
  return list.every((item, index) => {
    const before = list[index - 1]
    return before === undefined || compareValues(before, item, spend) <= 0
  })
}

function best(list: readonly CelValue[], name: string, sign: 1 | -1, spend: Spend): CelValue {
  const [first, ...rest] = list
  if (first === undefined) throw new CelError(`${name} called on empty list`)
  return rest.reduce((found, item) => {
    return sign * compareValues(item, found, spend) > 0 ? item : found
  }, first)
}

function sum(list: readonly CelValue[], type: string): CelValue {
  const first = list[0]
  if (first instanceof CelUint || (first === undefined && type === 'uint')) {
    return checkedUint(total(list, (item) => (item instanceof CelUint ? item.value : null)))
  }
  if (first instanceof CelDuration || (first === undefined && type === 'duration')) {
    return durationOf(total(list, (item) => (item instanceof CelDuration ? item.nanos : null)))
  }
  if (typeof first === 'number' || (first === undefined && type === 'double')) {
    return list.reduce<number>((result, item) => {
      if (typeof item !== 'number') throw new CelError('no such overload')
      return result + item
    }, 0)
  }
  return checkedInt(total(list, (item) => (typeof item === 'bigint' ? item : null)))
}

function total(list: readonly CelValue[], valueOf: (item: CelValue) => bigint | null): bigint {
  return list.reduce<bigint>((result, item) => {
    const value = valueOf(item)
    if (value === null) throw new CelError('no such overload')
    return result + value
  }, 0n)
}

function slice(args: readonly CelValue[], spend: Spend): CelValue {
  const [list, from, to] = [listAt(args, 0), intAt(args, 1), intAt(args, 2)]
  const problem = 'cannot slice'
  if (from < 0n || to < 0n) {
    throw new CelError(`${problem}(${from}, ${to}), negative indexes not supported`)
  }
  if (from > to) {
    throw new CelError(
      `${problem}(${from}, ${to}), start index must be less than or equal to end index`,
    )
  }
  if (to > BigInt(list.length)) {
    throw new CelError(`${problem}(${from}, ${to}), list is length ${list.length}`)
  }
  spend(Number(to - from))
  return list.slice(Number(from), Number(to))
}

function flattened(list: readonly CelValue[], depth: bigint, spend: Spend): CelValue[] {
  if (depth < 0n) throw new CelError('level must be non-negative')
  spend(list.length)
  return list.flatMap((item) =>
    isList(item) && depth > 0n ? flattened(item, depth - 1n, spend) : [item],
  )
}

function range(args: readonly CelValue[], spend: Spend): CelValue {
  const count = intAt(args, 0)
  if (count > MAX_RANGE) throw new CelError(`lists.range has more than ${MAX_RANGE} items`)
  spend(Math.max(0, Number(count)))
  return Array.from({ length: Math.max(0, Number(count)) }, (_item, index) => BigInt(index))
}

function distinct(list: readonly CelValue[], spend: Spend): CelValue {
  const simple = new Set<CelValue>()
  const found: CelValue[] = []
  for (const item of list) {
    const isSimple = typeof item === 'string' || typeof item === 'boolean'
    const isKnown = isSimple
      ? simple.has(item)
      : found.some((other) => {
          spend(1)
          return isSameValue(other, item, spend)
        })
    if (isSimple) simple.add(item)
    if (!isKnown) found.push(item)
  }
  return found
}

function optionalItem(list: readonly CelValue[], index: number): CelValue {
  const item = list.at(index)
  return item === undefined ? CelOptional.NONE : new CelOptional(item)
}

/** The items in the order of their keys; items with equal keys keep their order. */
function sortedBy(list: readonly CelValue[], keys: readonly CelValue[], spend: Spend): CelValue {
  const count = keys.length
  spend(count * Math.ceil(Math.log2(count + 1)))
  const first = keys[0]
  if (first !== undefined) for (const key of keys) requireOrder(first, key, spend)
  const order = keys.map((_key, index) => index)
  order.sort((one, other) => compareValues(keys[one] ?? null, keys[other] ?? null, spend))
  return order.map((index) => list[index] ?? null)
}

function requireOrder(first: CelValue, key: CelValue, spend: Spend): void {
  if (isNumber(first) ? typeof first === typeof key : true) {
    compareValues(first, key, spend)
    return
  }
  throw new CelError('list elements must have the same type')
}
