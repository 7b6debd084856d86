import { CelError } from '../cel-error.ts'
import { compareValues, isNumber, isSameScalar, type Spend } from '../values/compare-values.ts'
import { durationOf } from '../values/times.ts'
import { CelDuration, CelOptional, CelUint, type CelValue, isList } from '../values/value.ts'
import { intAt, listAt, valueAt } from './arguments.ts'
import { hasParts, isSame } from './equality.ts'
import {
  type Declarations,
  ITEMS_PER_PART,
  type LongRun,
  type Parts,
  type PartsOf,
} from './function.ts'
import { checkedInt, checkedUint } from './operators.ts'

const MAX_RANGE = 1_000_000n

/** The types whose lists can be ordered. */
const ORDERED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']
const SUMMED = ['int', 'uint', 'double', 'duration']

/** Visits all items. */
function* inParts(
  list: readonly CelValue[],
  spend: Spend,
  visit: (item: CelValue, index: number) => void,
): PartsOf<void> {
  for (let start = 0; start < list.length; start += ITEMS_PER_PART) {
    const end = Math.min(list.length, start + ITEMS_PER_PART)
    spend(end - start)
    for (let index = start; index < end; index += 1) visit(list[index] ?? null, index)
    yield
  }
}

/** A function of a list that looks at all items. */
function onList(run: (list: readonly CelValue[], spend: Spend) => Parts): LongRun {
  return {
    parts: (args, spend) => {
      const list = listAt(args, 0)
      spend(1)
      return run(list, spend)
    },
  }
}

const sorted = onList((list, spend) => sortedBy(list, list, spend))

/** Functions of lists in Kubernetes and in CEL's extension of lists. */
export const LISTS: Declarations = [
  ...ORDERED.flatMap((type): [string, LongRun][] => [
    [`list<${type}>#isSorted(): bool`, onList(isSorted)],
    [`list<${type}>#min(): ${type}`, onList((list, spend) => best(list, 'min', spend))],
    [`list<${type}>#max(): ${type}`, onList((list, spend) => best(list, 'max', spend))],
    [`list<${type}>#sort(): list<${type}>`, sorted],
  ]),
  ...SUMMED.map((type): [string, LongRun] => [
    `list<${type}>#sum(): ${type}`,
    onList((list, spend) => sum(list, type, spend)),
  ]),
  ['list<A>#indexOf(A): int', { parts: indexOf }],
  ['list<A>#lastIndexOf(A): int', { parts: lastIndexOf }],
  ['list<A>#slice(int, int): list<A>', slice],
  [
    'list<list<A>>#flatten(): list<A>',
    { parts: (args, spend) => flattened(listAt(args, 0), 1n, spend) },
  ],
  [
    'list<dyn>#flatten(int): list<dyn>',
    { parts: (args, spend) => flattened(listAt(args, 0), intAt(args, 1), spend) },
  ],
  ['lists.range(int): list<int>', { parts: range }],
  ['list<A>#distinct(): list<A>', onList(distinct)],
  [
    'list<A>#reverse(): list<A>',
    (args, spend) => {
      const list = listAt(args, 0)
      spend(1 + list.length)
      return list.toReversed()
    },
  ],
  ['list<A>#first(): optional<A>', (args) => optionalItem(listAt(args, 0), 0)],
  ['list<A>#last(): optional<A>', (args) => optionalItem(listAt(args, 0), -1)],
  [
    'list<A>#@sortByAssociatedKeys(list<B>): list<A>',
    { parts: (args, spend) => sortedBy(listAt(args, 0), listAt(args, 1), spend) },
  ],
]

function* indexOf(args: readonly CelValue[], spend: Spend): Parts {
  return BigInt(yield* position(listAt(args, 0), valueAt(args, 1), spend))
}

function* lastIndexOf(args: readonly CelValue[], spend: Spend): Parts {
  const list = listAt(args, 0)
  const found = yield* position(list.toReversed(), valueAt(args, 1), spend)
  return BigInt(found < 0 ? found : list.length - 1 - found)
}

/** The index of a value in a list; -1 if it has none. */
function* position(list: readonly CelValue[], wanted: CelValue, spend: Spend): PartsOf<number> {
  for (const [index, item] of list.entries()) {
    spend(1)
    const isEqual = hasParts(item)
      ? yield* isSame(item, wanted, spend)
      : isSameScalar(item, wanted, spend)
    if (isEqual) return index
    if (index % ITEMS_PER_PART === 0) yield
  }
  return -1
}

function* isSorted(list: readonly CelValue[], spend: Spend): Parts {
  let isOrdered = true
  yield* inParts(list, spend, (item, index) => {
    const before = list[index - 1]
    isOrdered &&= before === undefined || compareValues(before, item, spend) <= 0
  })
  return isOrdered
}

function* best(list: readonly CelValue[], name: 'min' | 'max', spend: Spend): Parts {
  const sign = name === 'max' ? 1 : -1
  const [first] = list
  if (first === undefined) throw new CelError(`${name} called on empty list`)
  let found = first
  yield* inParts(list, spend, (item, index) => {
    if (index > 0 && sign * compareValues(item, found, spend) > 0) found = item
  })
  return found
}

function* sum(list: readonly CelValue[], type: string, spend: Spend): Parts {
  const first = list[0]
  if (first instanceof CelUint || (first === undefined && type === 'uint')) {
    const valueOf = (item: CelValue) => (item instanceof CelUint ? item.value : null)
    return checkedUint(yield* total(list, valueOf, spend))
  }
  if (first instanceof CelDuration || (first === undefined && type === 'duration')) {
    const valueOf = (item: CelValue) => (item instanceof CelDuration ? item.nanos : null)
    return durationOf(yield* total(list, valueOf, spend))
  }
  if (typeof first === 'number' || (first === undefined && type === 'double')) {
    let result = 0
    yield* inParts(list, spend, (item) => {
      if (typeof item !== 'number') throw new CelError('no such overload')
      result += item
    })
    return result
  }
  const valueOf = (item: CelValue) => (typeof item === 'bigint' ? item : null)
  return checkedInt(yield* total(list, valueOf, spend))
}

function* total(
  list: readonly CelValue[],
  valueOf: (item: CelValue) => bigint | null,
  spend: Spend,
): PartsOf<bigint> {
  let result = 0n
  yield* inParts(list, spend, (item) => {
    const value = valueOf(item)
    if (value === null) throw new CelError('no such overload')
    result += value
  })
  return result
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

function* flattened(list: readonly CelValue[], depth: bigint, spend: Spend): Parts {
  if (depth < 0n) throw new CelError('level must be non-negative')
  const items: CelValue[] = []
  yield* flattenInto(items, list, depth, spend)
  return items
}

// oxlint-disable-next-line max-params -- called for each list in a list: no object per call
function* flattenInto(
  items: CelValue[],
  list: readonly CelValue[],
  depth: bigint,
  spend: Spend,
): PartsOf<void> {
  for (const [index, item] of list.entries()) {
    if (index % ITEMS_PER_PART === 0) {
      spend(Math.min(ITEMS_PER_PART, list.length - index))
      yield
    }
    if (isList(item) && depth > 0n) yield* flattenInto(items, item, depth - 1n, spend)
    else items.push(item)
  }
}

function* range(args: readonly CelValue[], spend: Spend): Parts {
  const count = intAt(args, 0)
  if (count > MAX_RANGE) throw new CelError(`lists.range has more than ${MAX_RANGE} items`)
  const size = Math.max(0, Number(count))
  const list: bigint[] = []
  while (list.length < size) {
    const end = Math.min(size, list.length + ITEMS_PER_PART)
    spend(end - list.length)
    for (let item = list.length; item < end; item += 1) list.push(BigInt(item))
    yield
  }
  return list
}

function* distinct(list: readonly CelValue[], spend: Spend): Parts {
  const simple = new Set<CelValue>()
  const found: CelValue[] = []
  for (const item of list) {
    spend(1)
    const isSimple = typeof item === 'string' || typeof item === 'boolean'
    const isKnown = isSimple ? simple.has(item) : yield* isFound(found, item, spend)
    if (isSimple) simple.add(item)
    if (!isKnown) found.push(item)
    yield
  }
  return found
}

function* isFound(found: readonly CelValue[], item: CelValue, spend: Spend): PartsOf<boolean> {
  for (const other of found) {
    spend(1)
    const isEqual = hasParts(other)
      ? yield* isSame(other, item, spend)
      : isSameScalar(other, item, spend)
    if (isEqual) return true
  }
  return false
}

function optionalItem(list: readonly CelValue[], index: number): CelValue {
  const item = list.at(index)
  return item === undefined ? CelOptional.NONE : new CelOptional(item)
}

/** The items in the order of their keys; items with equal keys keep their order. */
function* sortedBy(list: readonly CelValue[], keys: readonly CelValue[], spend: Spend): Parts {
  const first = keys[0]
  if (first === undefined) return []
  yield* inParts(keys, spend, (key) => requireOrder(first, key, spend))
  let order = keys.map((_key, index) => index)
  for (let width = 1; width < keys.length; width *= 2) {
    const isOrdered = (one: number, other: number) =>
      compareValues(keys[one] ?? null, keys[other] ?? null, spend) <= 0
    order = yield* mergedPairs({ order, width }, isOrdered, spend)
  }
  return order.map((index) => list[index] ?? null)
}

/** Merges each two neighbouring runs of a width, which are sorted. */
function* mergedPairs(
  { order, width }: { readonly order: readonly number[]; readonly width: number },
  isOrdered: (one: number, other: number) => boolean,
  spend: Spend,
): PartsOf<number[]> {
  const merged: number[] = []
  for (let start = 0; start < order.length; start += 2 * width) {
    const middle = Math.min(start + width, order.length)
    const end = Math.min(middle + width, order.length)
    let [left, right] = [start, middle]
    while (merged.length < end) {
      spend(1)
      const one = left < middle ? order[left] : undefined
      const other = right < end ? order[right] : undefined
      if (one !== undefined && (other === undefined || isOrdered(one, other))) {
        merged.push(one)
        left += 1
      } else if (other !== undefined) {
        merged.push(other)
        right += 1
      }
      if (merged.length % ITEMS_PER_PART === 0) yield
    }
  }
  return merged
}

function requireOrder(first: CelValue, key: CelValue, spend: Spend): void {
  if (isNumber(first) ? typeof first === typeof key : true) {
    compareValues(first, key, spend)
    return
  }
  throw new CelError('list elements must have the same type')
}
