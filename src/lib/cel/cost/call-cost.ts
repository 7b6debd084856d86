import { exactly, type Interval, plus, scaled, times, union, UNKNOWN } from './interval.ts'

/** The costs per character of texts and of patterns. */
const TEXT = 0.1
const PATTERN = 0.25

const ONE = exactly(1)

/** The sizes of a call: of its receiver or first argument, and of the other arguments. */
interface CallSizes {
  /** The receiver of a method comes first. */
  readonly sizes: readonly Interval[]
  /** The size and the kind of the items of the receiver; null if it is no list. */
  readonly items: { readonly size: Interval; readonly isText: boolean } | null
  /** The arguments that are literal integers. */
  readonly numbers: readonly (number | null)[]
}

/** The cost of a call without its arguments, and the size of the result if it is known. */
export interface CallCost {
  readonly cost: Interval
  readonly size?: Interval
}

type Estimate = (call: CallSizes) => CallCost

function sizeAt({ sizes }: CallSizes, index: number): Interval {
  return sizes[index] ?? UNKNOWN
}

/** Functions that read their receiver or first argument. */
const reading =
  (factor: number, keepsSize = false): Estimate =>
  (call) => {
    const size = sizeAt(call, 0)
    return { cost: scaled(size, factor), ...(keepsSize && { size }) }
  }

const constant: Estimate = () => ({ cost: ONE })

const searching: Estimate = (call) => {
  const size = sizeAt(call, 0)
  if (call.items === null) return { cost: scaled(size, TEXT) }
  const item = call.items.isText ? plus(ONE, scaled(call.items.size, TEXT)) : ONE
  return { cost: times(size, item) }
}

const matching: Estimate = (call) => {
  const text = scaled(plus(sizeAt(call, 0), ONE), TEXT)
  return {
    cost: times(text, scaled(sizeAt(call, 1), PATTERN)),
    size: { min: 0, max: sizeAt(call, 0).max },
  }
}

const containing: Estimate = (call) => ({
  cost: times(scaled(sizeAt(call, 0), TEXT), scaled(sizeAt(call, 1), TEXT)),
})

const splitting: Estimate = (call) => {
  const size = sizeAt(call, 0)
  return { cost: scaled(size, 2 * TEXT), size: { min: 0, max: call.numbers[1] ?? size.max } }
}

const joining: Estimate = (call) => {
  const count = sizeAt(call, 0)
  const texts = call.items === null ? exactly(0) : times(count, call.items.size)
  const separators = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }
  const separator = call.sizes[1]
  const size = separator ? plus(texts, times(separator, separators)) : texts
  return { cost: scaled(size, TEXT), size }
}

const replacing: Estimate = (call) => {
  const [size, from, to] = [sizeAt(call, 0), sizeAt(call, 1), sizeAt(call, 2)]
  const most = bound(size.max, { from: from.min, isKept: to.max <= from.min })
  const least = bound(size.min, { from: from.max, isKept: from.max <= to.min })
  const count = { min: least.count, max: most.count }
  const kept = { min: least.kept, max: most.kept }
  return { cost: scaled(size, 2 * TEXT), size: plus(times(count, to), kept) }
}

/** The replacements in a text of a length, and the length that remains beside them. */
function bound(
  length: number,
  { from, isKept }: { readonly from: number; readonly isKept: boolean },
): { readonly count: number; readonly kept: number } {
  if (from === 0) return { count: length + 1, kept: length }
  return isKept ? { count: 0, kept: length } : { count: Math.ceil(length / from), kept: 0 }
}

/** A network has 4 or 16 bytes. */
const containment =
  (isNetwork: boolean): Estimate =>
  (call) => {
    const address = { min: 4, max: 16 }
    const compared = scaled(plus(address, address), TEXT)
    const other = isNetwork ? plus(scaled(address, TEXT), ONE) : exactly(0)
    return { cost: plus(plus(compared, other), scaled(sizeAt(call, 1), TEXT)) }
  }

const adding: Estimate = (call) => {
  const size = plus(sizeAt(call, 0), sizeAt(call, 1))
  return { cost: scaled(size, TEXT), size }
}

/** Each item of one list is compared with each of the other. */
function crossing(factor: number): Estimate {
  return (call) => ({
    cost: plus(scaled(times(sizeAt(call, 0), sizeAt(call, 1)), factor), ONE),
  })
}

/** A new list, whose creation costs 10. */
const copying: Estimate = (call) => {
  const size = sizeAt(call, 0)
  return { cost: plus(size, exactly(11)), size: { min: 0, max: size.max } }
}

const slicing: Estimate = (call) => {
  const [from = null, to = null] = call.numbers
  const size = exactly(Math.max(0, (to ?? sizeAt(call, 0).max) - (from ?? 0)))
  return { cost: plus(size, exactly(11)), size }
}

const ranging: Estimate = ({ numbers: [count = null] }) => {
  const size = exactly(count ?? Infinity)
  return { cost: plus(size, exactly(11)), size }
}

/** Kubernetes takes these as quadratic. */
const quadratic =
  (base: number): Estimate =>
  (call) => {
    const size = sizeAt(call, 0)
    const cost = plus(scaled(times(size, size), 2), exactly(base))
    return { cost, size: { min: 0, max: size.max } }
  }

/** The smaller operand decides. */
const comparing: Estimate = (call) => {
  const max = Math.min(sizeAt(call, 0).max, sizeAt(call, 1).max)
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, TEXT) }
}

/** The estimates of functions by name. Other functions cost one. */
const ESTIMATES: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['check', () => ({ cost: exactly(350_000) })],
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Estimate] => [
    name,
    searching,
  ]),
  ...['url', 'jsonpatch.escapeKey', 'lowerAscii', 'upperAscii', 'substring', 'trim'].map(
    (name): [string, Estimate] => [name, reading(TEXT, true)],
  ),
  ...['isIP', 'isCIDR', 'cidr', 'quantity', 'isQuantity', 'semver', 'isSemver', 'format'].map(
    (name): [string, Estimate] => [name, reading(TEXT)],
  ),
  ['ip.isCanonical', reading(2 * TEXT)],
  ['replace', replacing],
  ['split', splitting],
  ['join', joining],
  ['find', matching],
  ['findAll', matching],
  ['matches', (call) => ({ cost: matching(call).cost })],
  ['contains', containing],
  ['containsIP', containment(false)],
  ['containsCIDR', containment(true)],
  ['validate', (call) => ({ cost: scaled(scaled(sizeAt(call, 1), TEXT), 128 * PATTERN) })],
  ['startsWith', (call) => ({ cost: scaled(sizeAt(call, 1), TEXT) })],
  ['endsWith', (call) => ({ cost: scaled(sizeAt(call, 1), TEXT) })],
  ['sets.contains', crossing(1)],
  ['sets.intersects', crossing(1)],
  ['sets.equivalent', crossing(2)],
  ['reverse', copying],
  ['flatten', copying],
  ['slice', slicing],
  ['lists.range', ranging],
  ['distinct', quadratic(11)],
  ['sort', quadratic(21)],
  ['_==_', comparing],
  ['_!=_', comparing],
])

const ORDERS: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_'])

/** The cost of a call of an overload whose first parameter has a kind. */
export function callCost(name: string, kind: string, call: CallSizes): CallCost {
  const isText = kind === 'string' || kind === 'bytes'
  if (name === '_+_' && isText) return adding(call)
  if (name === '_+_' && kind === 'list') return { ...adding(call), cost: ONE }
  if (name === '@in' && call.sizes.length === 2) {
    return { cost: kind === 'list' ? sizeAt(call, 1) : ONE }
  }
  if (ORDERS.has(name)) return isText ? comparing(call) : { cost: ONE }
  if (name === 'ip') return kind === 'string' ? reading(TEXT)(call) : constant(call)
  if (name === 'bytes' && kind === 'string') {
    const size = sizeAt(call, 0)
    return { cost: scaled(size, TEXT), size: { min: size.min, max: 4 * size.max } }
  }
  if (name === 'string' && kind === 'bytes') {
    const size = sizeAt(call, 0)
    return { cost: scaled(size, TEXT), size: { min: Math.floor(size.min / 4), max: size.max } }
  }
  return (ESTIMATES.get(name) ?? constant)(call)
}

/** The costs of several overloads, of which one will run. */
export function eitherCost(one: CallCost | null, other: CallCost): CallCost {
  if (one === null) return other
  const size = one.size && other.size ? union(one.size, other.size) : (one.size ?? other.size)
  return { cost: union(one.cost, other.cost), ...(size && { size }) }
}
