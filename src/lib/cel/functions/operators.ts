import { CelError } from '../cel-error.ts'
import {
  compareValues,
  isSameScalar,
  type Spend,
  STEPS_PER_ITEM,
} from '../values/compare-values.ts'
import { durationOf, timestampOf } from '../values/times.ts'
import {
  CelDuration,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  isList,
  isMap,
  mapKeyOf,
} from '../values/value.ts'
import {
  boolAt,
  bytesAt,
  doubleAt,
  intAt,
  listAt,
  mapAt,
  noOverload,
  objectAt,
  textAt,
  uintAt,
  valueAt,
} from './arguments.ts'
import { hasParts, isSame } from './equality.ts'
import {
  type Declarations,
  ITEMS_PER_PART,
  LongCall,
  type Parts,
  type PartsOf,
  type Run,
} from './function.ts'
import { spendText } from './text-limit.ts'

const MAX_INT = 2n ** 63n - 1n
const MAX_UINT = 2n ** 64n - 1n

/** The integer, or an error if it exceeds 64 bits. */
export function checkedInt(value: bigint): bigint {
  if (value > MAX_INT || value < -MAX_INT - 1n) throw new CelError('integer overflow')
  return value
}

/** The unsigned integer, or an error if it exceeds 64 bits. */
export function checkedUint(value: bigint): CelUint {
  if (value > MAX_UINT || value < 0n) throw new CelError('unsigned integer overflow')
  return new CelUint(value)
}

const int =
  (compute: (one: bigint, other: bigint) => bigint): Run =>
  (args) =>
    checkedInt(compute(intAt(args, 0), intAt(args, 1)))

const uint =
  (compute: (one: bigint, other: bigint) => bigint): Run =>
  (args) =>
    checkedUint(compute(uintAt(args, 0), uintAt(args, 1)))

const double =
  (compute: (one: number, other: number) => number): Run =>
  (args) =>
    compute(doubleAt(args, 0), doubleAt(args, 1))

function divided(one: bigint, other: bigint): bigint {
  if (other === 0n) throw new CelError('division by zero')
  return one / other
}

function remainder(one: bigint, other: bigint): bigint {
  if (other === 0n) throw new CelError('modulus by zero')
  return one % other
}

const nanosAt = (args: readonly CelValue[], index: number): bigint => {
  const value = args[index]
  if (value instanceof CelDuration || value instanceof CelTimestamp) return value.nanos
  throw noOverload()
}

/** `a + b` and the other operators of arithmetic. */
export const ARITHMETIC: Declarations = [
  ['_+_(int, int): int', int((one, other) => one + other)],
  ['_+_(uint, uint): uint', uint((one, other) => one + other)],
  ['_+_(double, double): double', double((one, other) => one + other)],
  ['_+_(string, string): string', joinedTexts],
  ['_+_(bytes, bytes): bytes', joinedBytes],
  ['_+_(list<A>, list<A>): list<A>', joinedLists],
  ['_+_(duration, duration): duration', (args) => durationOf(nanosAt(args, 0) + nanosAt(args, 1))],
  [
    '_+_(duration, timestamp): timestamp',
    (args) => timestampOf(nanosAt(args, 0) + nanosAt(args, 1)),
  ],
  [
    '_+_(timestamp, duration): timestamp',
    (args) => timestampOf(nanosAt(args, 0) + nanosAt(args, 1)),
  ],
  ['_-_(int, int): int', int((one, other) => one - other)],
  ['_-_(uint, uint): uint', uint((one, other) => one - other)],
  ['_-_(double, double): double', double((one, other) => one - other)],
  ['_-_(duration, duration): duration', (args) => durationOf(nanosAt(args, 0) - nanosAt(args, 1))],
  [
    '_-_(timestamp, timestamp): duration',
    (args) => durationOf(nanosAt(args, 0) - nanosAt(args, 1)),
  ],
  [
    '_-_(timestamp, duration): timestamp',
    (args) => timestampOf(nanosAt(args, 0) - nanosAt(args, 1)),
  ],
  ['_*_(int, int): int', int((one, other) => one * other)],
  ['_*_(uint, uint): uint', uint((one, other) => one * other)],
  ['_*_(double, double): double', double((one, other) => one * other)],
  ['_/_(int, int): int', int(divided)],
  ['_/_(uint, uint): uint', uint(divided)],
  ['_/_(double, double): double', double((one, other) => one / other)],
  ['_%_(int, int): int', int(remainder)],
  ['_%_(uint, uint): uint', uint(remainder)],
  ['-_(int): int', (args) => checkedInt(-intAt(args, 0))],
  ['-_(double): double', (args) => -doubleAt(args, 0)],
  ['!_(bool): bool', (args) => !boolAt(args, 0)],
]

function joinedTexts(args: readonly CelValue[], spend: Spend): string {
  const [one, other] = [textAt(args, 0), textAt(args, 1)]
  spendText(one.length + other.length, spend)
  return one + other
}

function joinedBytes(args: readonly CelValue[], spend: Spend): Uint8Array {
  const [one, other] = [bytesAt(args, 0), bytesAt(args, 1)]
  spendText(one.length + other.length, spend)
  return Buffer.concat([one, other])
}

function joinedLists(args: readonly CelValue[], spend: Spend): CelValue {
  const [one, other] = [listAt(args, 0), listAt(args, 1)]
  spend(1 + STEPS_PER_ITEM * (one.length + other.length))
  return one.concat(other)
}

/** Types with an order; numbers compare across types. */
const ORDERED = ['bool', 'string', 'bytes', 'timestamp', 'duration']
const NUMBERS = ['int', 'uint', 'double']

const PAIRS = [
  ...ORDERED.map((type) => [type, type] as const),
  ...NUMBERS.flatMap((one) => NUMBERS.map((other) => [one, other] as const)),
]

const COMPARISONS: readonly (readonly [string, (order: number) => boolean])[] = [
  ['_<_', (order) => order < 0],
  ['_<=_', (order) => order <= 0],
  ['_>_', (order) => order > 0],
  ['_>=_', (order) => order >= 0],
]

/** `a < b`, `a == b`, `a in b`, and the others. */
export const RELATIONS: Declarations = [
  ...COMPARISONS.flatMap(([name, decide]) =>
    PAIRS.map(([one, other]): [string, Run] => [
      `${name}(${one}, ${other}): bool`,
      (args, spend) => {
        spend(1 + STEPS_PER_ITEM * sizeOf(valueAt(args, 0)))
        return decide(compareValues(valueAt(args, 0), valueAt(args, 1), spend))
      },
    ]),
  ),
  ['_==_(A, A): bool', comparison(true)],
  ['_!=_(A, A): bool', comparison(false)],
  ['@in(A, list<A>): bool', { parts: isInList }],
  ['@in(A, map<A, B>): bool', (args) => valueInMap(args) !== undefined],
]

function sizeOf(value: CelValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

/** Whether two values are equal, or whether they are not. */
function comparison(wanted: boolean): Run {
  return (args, spend) => {
    const [one, other] = [valueAt(args, 0), valueAt(args, 1)]
    spend(1 + STEPS_PER_ITEM * Math.min(sizeOf(one), sizeOf(other)))
    return hasParts(one)
      ? new LongCall(longComparison(one, other, wanted, spend))
      : isSameScalar(one, other, spend) === wanted
  }
}

// oxlint-disable-next-line max-params -- called for each comparison: no object per call
function* longComparison(one: CelValue, other: CelValue, wanted: boolean, spend: Spend): Parts {
  return (yield* isSame(one, other, spend)) === wanted
}

function isInList(args: readonly CelValue[], spend: Spend): Parts {
  return hasItem(listAt(args, 1), valueAt(args, 0), spend)
}

/** Whether a list has an equal item. */
export function* hasItem(
  list: readonly CelValue[],
  item: CelValue,
  spend: Spend,
): PartsOf<boolean> {
  spend(list.length)
  for (const [index, other] of list.entries()) {
    const isEqual = hasParts(item)
      ? yield* isSame(item, other, spend)
      : isSameScalar(item, other, spend)
    if (isEqual) return true
    if ((index + 1) % ITEMS_PER_PART === 0) yield ITEMS_PER_PART
  }
  return false
}

function valueInMap(args: readonly CelValue[]): CelValue | undefined {
  const key = mapKeyOf(valueAt(args, 0))
  return key === undefined ? undefined : mapAt(args, 1).get(key)
}

/** Ends the names of overloads that only values of dynamic types have. */
export const OF_DYNAMIC = '@dyn'

/** `a[b]`, `a[?b]` and the insertion into maps by macros. */
export const INDEXES: Declarations = [
  ['_[_](list<A>, int): A', itemAt],
  ['_[_](map<A, B>, A): B', itemAt],
  [`_[_]${OF_DYNAMIC}(list<A>, dyn): A`, itemAt],
  ['_[_](optional<list<A>>, int): optional<A>', optionalItemAt],
  ['_[_](optional<map<A, B>>, A): optional<B>', optionalItemAt],
  ['_[?_](list<A>, int): optional<A>', optionalItemAt],
  ['_[?_](map<A, B>, A): optional<B>', optionalItemAt],
  [`_[?_]${OF_DYNAMIC}(list<A>, dyn): optional<A>`, optionalItemAt],
  ['_[?_](optional<list<A>>, int): optional<A>', optionalItemAt],
  ['_[?_](optional<map<A, B>>, A): optional<B>', optionalItemAt],
  ['cel.@mapInsert(map<A, B>, A, B): map<A, B>', inserted],
  ['cel.@mapInsert(map<A, B>, map<A, B>): map<A, B>', insertedEntries],
]

function itemAt(args: readonly CelValue[]): CelValue {
  const [container, key] = [valueAt(args, 0), valueAt(args, 1)]
  const item = findItem(container, key)
  if (item !== undefined) return item
  throw new CelError(
    isList(container) ? `index out of bounds: ${shownKey(key)}` : `no such key: ${shownKey(key)}`,
  )
}

function optionalItemAt(args: readonly CelValue[]): CelValue {
  const [first, key] = [valueAt(args, 0), valueAt(args, 1)]
  const container = first instanceof CelOptional ? first.value : first
  if (container === undefined) return CelOptional.NONE
  const item = findItem(container, key)
  return item === undefined ? CelOptional.NONE : new CelOptional(item)
}

/** The item of a list or map; undefined if it has none. */
function findItem(container: CelValue, key: CelValue): CelValue | undefined {
  const plain = mapKeyOf(key)
  if (isMap(container)) {
    if (plain === undefined && typeof key !== 'number') throw noOverload()
    return plain === undefined ? undefined : container.get(plain)
  }
  if (!isList(container)) throw noOverload()
  if (typeof plain !== 'bigint') throw new CelError('invalid_argument: unsupported index type')
  return plain >= 0n && plain < BigInt(container.length) ? container[Number(plain)] : undefined
}

function shownKey(key: CelValue): string {
  const plain = typeof key === 'number' ? key : mapKeyOf(key)
  return plain === undefined ? 'unsupported' : String(plain)
}

/** The macro owns the map, so that each insertion takes constant time. */
function inserted(args: readonly CelValue[], spend: Spend): CelValue {
  spend(1)
  const map = objectMap(args)
  insertEntry(map, valueAt(args, 1), valueAt(args, 2))
  return map
}

function insertedEntries(args: readonly CelValue[], spend: Spend): CelValue {
  const map = objectMap(args)
  const entries = mapAt(args, 1)
  spend(1 + entries.size)
  for (const [key, value] of entries) insertEntry(map, key, value)
  return map
}

function objectMap(args: readonly CelValue[]): CelMap {
  const map = mapAt(args, 0)
  if (map instanceof CelMap) return map
  throw noOverload()
}

/** Adds an entry; a key that exists is an error. */
export function insertEntry(map: CelMap, key: CelValue, value: CelValue): void {
  const plain = typeof key === 'number' ? undefined : mapKeyOf(key)
  if (plain === undefined) throw new CelError('unsupported key type')
  if (map.has(plain)) throw new CelError(`insert failed: key ${String(plain)} already exists`)
  map.set(plain, value)
  if (key instanceof CelUint) map.unsignedKeys.add(plain)
}

/** The value of an optional, or an error. */
export function optionalAt(args: readonly CelValue[], index: number): CelOptional {
  return objectAt(args, index, CelOptional)
}
