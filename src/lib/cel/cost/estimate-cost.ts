import type { CheckedExpression } from '../check/check-expression.ts'
import type { Call, CreateList, CreateMap, Expression, Fold, Select } from '../syntax/expression.ts'
import { isBinding } from '../syntax/macros.ts'
import { optionalItem, type Type } from '../types/type.ts'
import type { CelValue } from '../values/value.ts'
import { type CallCost, callCost, eitherCost } from './call-cost.ts'
import { exactly, type Interval, plus, times, total, union, UNKNOWN, ZERO } from './interval.ts'

/** A value that the schema describes: its size, its items and its fields. */
interface Sized {
  readonly maxSize: number
  readonly item: Sized | null
  readonly fields: ReadonlyMap<string, Sized>
}

/** The size of a value as far as it is known, and the sizes of its parts. */
interface Shape {
  readonly size: Interval | null
  /** The described value; null for computed ones. */
  readonly source: Sized | null
  /** The sizes of keys and items of a computed list or map. */
  readonly entry: { readonly key: Interval; readonly item: Interval } | null
}

interface Outcome {
  readonly cost: Interval
  readonly shape: Shape
}

const NOTHING: Shape = { size: null, source: null, entry: null }
const ONE = exactly(1)
const LIST_COST = exactly(10)
const MAP_COST = exactly(30)

/** The largest and smallest cost of an expression in Kubernetes' units. */
export function estimateCost(
  checked: CheckedExpression,
  variables: Readonly<Record<string, Sized>>,
): Interval {
  return new Estimator(checked, variables).estimate(checked.root).cost
}

class Estimator {
  readonly #checked: CheckedExpression
  readonly #variables: Readonly<Record<string, Sized>>
  readonly #locals: (readonly [string, Shape])[] = []

  /** Kubernetes gives parts of computed values the size of the root. */
  readonly #computed: Shape

  constructor(checked: CheckedExpression, variables: Readonly<Record<string, Sized>>) {
    this.#computed = { ...NOTHING, size: { min: 0, max: variables['self']?.maxSize ?? 0 } }
    this.#checked = checked
    this.#variables = variables
  }

  estimate(node: Expression): Outcome {
    switch (node.kind) {
      case 'literal':
        return { cost: ZERO, shape: { ...NOTHING, size: literalSize(node.value) } }
      case 'identifier':
        return { cost: ONE, shape: this.#sized(this.#named(node, node.name), node) }
      case 'select':
        return this.#select(node)
      case 'call':
        return this.#call(node)
      case 'list':
        return this.#list(node)
      case 'map':
        return this.#map(node)
      case 'struct':
        return { cost: exactly(40), shape: NOTHING }
      case 'fold':
        return isBinding(node) ? this.#binding(node) : this.#fold(node)
    }
  }

  #named(node: Expression, name: string): Shape {
    const local = this.#locals.findLast(([known]) => known === name)
    if (local) return local[1]
    const variable = this.#checked.names.get(node) ?? name
    const source = Object.hasOwn(this.#variables, variable) ? this.#variables[variable] : undefined
    return source ? { ...NOTHING, source } : this.#computed
  }

  /** The shape with a size: that of the source, else that of the type. */
  #sized(shape: Shape, node: Expression): Shape {
    if (shape.size !== null) return shape
    if (shape.source) return { ...shape, size: { min: 0, max: shape.source.maxSize } }
    return { ...shape, size: typeSize(this.#checked.types.get(node)) }
  }

  #select(node: Select): Outcome {
    const operand = this.estimate(node.operand)
    if (node.isTest) return { cost: operand.cost, shape: { ...NOTHING, size: ONE } }
    const kind = this.#checked.types.get(node.operand)?.kind ?? 'dyn'
    const hasCost = ['map', 'struct', 'param'].includes(kind)
    const { source } = operand.shape
    const field = source?.fields.get(node.field) ?? null
    const isPart = source === null && node.operand.kind !== 'identifier'
    const shape = isPart ? this.#computed : { ...NOTHING, source: field }
    return {
      cost: hasCost ? plus(operand.cost, ONE) : operand.cost,
      shape: this.#sized(shape, node),
    }
  }

  #call(node: Call): Outcome {
    const { name, target, args } = node
    const isQualified = this.#checked.names.has(node)
    const operands = (target === null || isQualified ? args : [target, ...args]).map((arg) =>
      this.estimate(arg),
    )
    const costs = operands.map(({ cost }) => cost)
    const shapes = operands.map(({ shape }) => shape)
    const [first = NOTHING, second = NOTHING, third = NOTHING] = shapes
    const [firstCost = ZERO, secondCost = ZERO, thirdCost = ZERO] = costs
    switch (name) {
      case '_&&_':
      case '_||_': {
        const cost = { min: firstCost.min, max: firstCost.max + secondCost.max }
        return { cost, shape: { ...NOTHING, size: ONE } }
      }
      case '_?_:_': {
        const cost = plus(firstCost, union(secondCost, thirdCost))
        return { cost, shape: eitherShape(second, third) }
      }
      case 'dyn':
        return { cost: plus(firstCost, ONE), shape: first }
      case '_[_]':
        return { cost: plus(total(costs), ONE), shape: this.#sized(this.#itemOf(first), node) }
      default:
        return this.#function(node, shapes, total(costs))
    }
  }

  #function(node: Call, shapes: readonly Shape[], argumentCost: Interval): Outcome {
    const [first = NOTHING] = shapes
    const operand = this.#checked.names.has(node) ? undefined : (node.target ?? undefined)
    const firstType = this.#checked.types.get(operand ?? node.args[0] ?? node)
    const call = {
      sizes: shapes.map(({ size }) => size ?? UNKNOWN),
      items: itemsOf(firstType, first),
      numbers: node.args.map(literalNumber),
    }
    let result: CallCost | null = null
    for (const { name, parameters } of this.#checked.overloads.get(node) ?? []) {
      // Membership depends on the container, other functions on the first operand.
      const type = parameters[name === '@in' ? 1 : 0]
      result = eitherCost(result, callCost(name, type?.kind ?? 'dyn', call))
    }
    const { cost, size = null } = result ?? { cost: ONE }
    const entry = node.name === '_+_' ? eitherEntry(first, shapes[1] ?? NOTHING) : null
    const shape = this.#sized({ source: null, entry, size }, node)
    return { cost: plus(argumentCost, cost), shape }
  }

  #list({ items }: CreateList): Outcome {
    const parts = items.map(({ value }) => this.estimate(value))
    const sizes = parts.map(({ shape }) => shape.size ?? UNKNOWN)
    const item = sizes.length === 0 ? ZERO : sizes.reduce(union)
    return {
      cost: plus(total(parts.map(({ cost }) => cost)), LIST_COST),
      shape: { source: null, size: exactly(items.length), entry: { key: ONE, item } },
    }
  }

  #map({ entries }: CreateMap): Outcome {
    const keys = entries.map(({ key }) => this.estimate(key))
    const values = entries.map(({ value }) => this.estimate(value))
    const joined = (parts: readonly Outcome[]) =>
      parts.length === 0 ? ZERO : parts.map(({ shape }) => shape.size ?? UNKNOWN).reduce(union)
    return {
      cost: plus(total([...keys, ...values].map(({ cost }) => cost)), MAP_COST),
      shape: {
        source: null,
        size: exactly(entries.length),
        entry: { key: joined(keys), item: joined(values) },
      },
    }
  }

  #binding(node: Fold): Outcome {
    const value = this.estimate(node.initial)
    const result = this.#inside([[node.accumulator, value.shape]], () => this.estimate(node.result))
    return { cost: total([LIST_COST, value.cost, result.cost]), shape: result.shape }
  }

  #inside<Result>(locals: readonly (readonly [string, Shape])[], run: () => Result): Result {
    const before = this.#locals.length
    this.#locals.push(...locals)
    const result = run()
    this.#locals.length = before
    return result
  }

  #fold(node: Fold): Outcome {
    const range = this.estimate(node.range)
    const initial = this.estimate(node.initial)
    const isOfList = this.#checked.types.get(node.range)?.kind === 'list'
    return this.#inside([[node.accumulator, initial.shape]], () => {
      const [condition, step] = this.#inside(
        this.#loopShapes(node, range.shape, isOfList),
        () => [this.estimate(node.condition), this.estimate(node.step)] as const,
      )
      const result = this.estimate(node.result)
      const count = range.shape.size ?? UNKNOWN
      const loop = times(count, plus(condition.cost, step.cost))
      const isCollected = node.initial.kind === 'list' || node.initial.kind === 'map'
      return {
        cost: total([range.cost, initial.cost, result.cost, loop]),
        shape: isCollected
          ? { source: null, size: count, entry: step.shape.entry }
          : { ...NOTHING, size: initial.shape.size },
      }
    })
  }

  /** The shapes of the variables of a loop. */
  #loopShapes(
    { variable, second }: Fold,
    range: Shape,
    isOfList: boolean,
  ): readonly (readonly [string, Shape])[] {
    // Kubernetes gives keys of described maps no size.
    const size = isOfList ? ONE : range.source ? ZERO : null
    const key = size === null ? this.#computed : { ...NOTHING, size }
    const item = this.#itemOf(range)
    if (second === null) return [[variable, isOfList ? item : key]]
    return [
      [variable, key],
      [second, item],
    ]
  }

  #itemOf({ source }: Shape): Shape {
    return source?.item ? { ...NOTHING, source: source.item } : this.#computed
  }
}

function itemsOf(type: Type | undefined, { source }: Shape) {
  if (type?.kind !== 'list') return null
  const kind = type.parameters[0]?.kind
  return {
    size: source?.item ? { min: 0, max: source.item.maxSize } : UNKNOWN,
    isText: kind === 'string' || kind === 'bytes',
  }
}

function literalNumber(node: Expression): number | null {
  return node.kind === 'literal' && typeof node.value === 'bigint' ? Number(node.value) : null
}

function eitherShape(one: Shape, other: Shape): Shape {
  const size = union(one.size ?? UNKNOWN, other.size ?? UNKNOWN)
  return { source: null, size, entry: eitherEntry(one, other) }
}

function eitherEntry(one: Shape, other: Shape): Shape['entry'] {
  if (!one.entry || !other.entry) return null
  return {
    key: union(one.entry.key, other.entry.key),
    item: union(one.entry.item, other.entry.item),
  }
}

function literalSize(value: CelValue): Interval {
  const isText = typeof value === 'string' || value instanceof Uint8Array
  return exactly(isText ? value.length : 1)
}

const SCALARS: ReadonlySet<string> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
])

function typeSize(type: Type | undefined): Interval | null {
  const inner = type && (optionalItem(type) ?? type)
  return inner && SCALARS.has(inner.kind) ? ONE : null
}
