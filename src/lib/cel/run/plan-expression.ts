import { CelError } from '../cel-error.ts'
import type { CheckedExpression } from '../check/check-expression.ts'
import type { Functions } from '../functions/function.ts'
import { insertEntry, OF_DYNAMIC } from '../functions/operators.ts'
import {
  ACCUMULATOR,
  type Call,
  type CreateList,
  type CreateMap,
  type CreateStruct,
  type Expression,
  type Identifier,
  type Select,
} from '../syntax/expression.ts'
import { ERROR, type Type } from '../types/type.ts'
import {
  CelMap,
  CelObject,
  CelOptional,
  CelStruct,
  CelTypeValue,
  type CelValue,
  isMap,
} from '../values/value.ts'
import { dispatched } from './dispatch.ts'
import { type Evaluate, Failure, type Frame } from './frame.ts'
import { Pause } from './meter.ts'
import type { Plan } from './plan.ts'
import { planFold } from './plan-fold.ts'
import { planLogic } from './plan-logic.ts'
import { Slots } from './slots.ts'

/** The steps that nodes cost, as in Kubernetes. */
const LIST_STEPS = 10
const MAP_STEPS = 30
const STRUCT_STEPS = 40

/** Compiles a checked expression to a function, and the numbers of its local variables and loops. */
export function planExpression(
  checked: CheckedExpression,
  functions: Functions,
  types: ReadonlyMap<string, Type>,
): PlannedExpression {
  const slots = new Slots()
  const loops = { count: 0 }
  const plan: Plan = { checked, functions, types, slots, loops, of: (node) => planned(node, plan) }
  return { evaluate: plan.of(checked.root), size: slots.size, loops: loops.count }
}

interface PlannedExpression {
  readonly evaluate: Evaluate
  readonly size: number
  readonly loops: number
}

function planned(node: Expression, plan: Plan): Evaluate {
  switch (node.kind) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'identifier':
      return planIdentifier(node, plan)
    case 'select':
      return planSelect(node, plan)
    case 'call':
      return planCall(node, plan)
    case 'list':
      return planList(node, plan)
    case 'map':
      return planMap(node, plan)
    case 'fold':
      return planFold(node, plan)
    case 'struct':
      return planStruct(node, plan)
  }
}

function planIdentifier(node: Identifier, plan: Plan): Evaluate {
  const slot = plan.slots.find(node.name)
  if (slot === undefined) return planGlobal(plan.checked.names.get(node) ?? node.name, plan)
  return ({ locals, spend }) => {
    spend(1)
    const value = locals[slot] ?? null
    if (value instanceof Failure) throw value.error
    return value
  }
}

function planGlobal(name: string, { types }: Plan): Evaluate {
  const type = types.get(name)
  const named = type && new CelTypeValue(type)
  return ({ variables, spend }) => {
    spend(1)
    if (Object.hasOwn(variables, name)) return variables[name] ?? null
    if (named) return named
    throw new CelError(`no such attribute: ${name}`)
  }
}

function planSelect(node: Select, plan: Plan): Evaluate {
  const name = plan.checked.names.get(node)
  if (name !== undefined) return planGlobal(name, plan)
  const operand = plan.of(node.operand)
  const { field, isTest } = node
  if (isTest) return (frame) => hasField(operand(frame), field)
  return (frame) => {
    const value = operand(frame)
    frame.spend(1)
    return value instanceof CelOptional ? optionalField(value, field) : fieldOf(value, field)
  }
}

/** The member of a map or object; undefined if it has none. */
function findField(value: CelValue, field: string): CelValue | undefined {
  if (isMap(value)) return value.get(field)
  if (value instanceof CelObject) return value.field(field)
  throw new CelError('no such overload')
}

function fieldOf(value: CelValue, field: string): CelValue {
  const found = findField(value, field)
  if (found === undefined) throw new CelError(`no such key: ${field}`)
  return found
}

function hasField(value: CelValue, field: string): boolean {
  const inner = value instanceof CelOptional ? value.value : value
  return inner !== undefined && findField(inner, field) !== undefined
}

/** The field of an optional value is optional. */
function optionalField({ value }: CelOptional, field: string): CelValue {
  const found = value === undefined ? undefined : findField(value, field)
  return found === undefined ? CelOptional.NONE : new CelOptional(found)
}

function planCall(node: Call, plan: Plan): Evaluate {
  const { args } = node
  const [first, second] = args
  if (node.name === '_?._' && first && second?.kind === 'literal') {
    return planOptionalSelect(plan.of(first), typeof second.value === 'string' ? second.value : '')
  }
  const special = planLogic(node, plan) ?? planAppend(node, plan)
  if (special) return special
  const name = plan.checked.names.get(node) ?? node.name.replace(/^\./, '')
  const target = plan.checked.names.has(node) ? null : node.target
  const operands = target === null ? args : [target, ...args]
  // Values of dynamic types may need an overload that the checker has not found.
  const others = [name, name + OF_DYNAMIC].flatMap((key) => plan.functions.get(key) ?? [])
  const fitting = others.filter((overload) => {
    const isMember = overload.isMember === (target !== null)
    return isMember && overload.parameters.length === operands.length
  })
  const overloads = new Set([...(plan.checked.overloads.get(node) ?? []), ...fitting])
  return dispatched([...overloads], operands.map(plan.of), plan)
}

function planOptionalSelect(operand: Evaluate, field: string): Evaluate {
  return (frame) => {
    const value = operand(frame)
    frame.spend(1)
    return optionalField(value instanceof CelOptional ? value : new CelOptional(value), field)
  }
}

/** `@result + [item]` of a macro: the loop owns the list, so that this takes constant time. */
function planAppend({ name, args }: Call, plan: Plan): Evaluate | null {
  const [list, items] = args
  if (name !== '_+_' || list?.kind !== 'identifier' || list.name !== ACCUMULATOR) return null
  const slot = plan.slots.find(ACCUMULATOR)
  const added = items?.kind === 'list' ? items.items[0] : undefined
  if (slot === undefined || !added || added.isOptional) return null
  const item = plan.of(added.value)
  return (frame) => {
    const value = item(frame)
    frame.spend(2 + LIST_STEPS)
    const current = frame.locals[slot] ?? null
    if (!isOwned(current)) throw new CelError('no such overload')
    current.push(value)
    return current
  }
}

function isOwned(value: CelValue | Failure): value is CelValue[] {
  return Array.isArray(value)
}

function planList({ items }: CreateList, plan: Plan): Evaluate {
  const parts = items.map(({ value, isOptional }) => ({ item: plan.of(value), isOptional }))
  return (frame) => {
    frame.spend(LIST_STEPS)
    const list: CelValue[] = []
    for (const { item, isOptional } of parts) {
      const value = item(frame)
      if (!isOptional) list.push(value)
      else if (!(value instanceof CelOptional)) throw new CelError('no such overload')
      else if (value.value !== undefined) list.push(value.value)
    }
    return list
  }
}

function planMap({ entries }: CreateMap, plan: Plan): Evaluate {
  const parts = entries.map(({ key, value, isOptional }) => ({
    key: plan.of(key),
    item: plan.of(value),
    isOptional,
  }))
  return (frame) => {
    frame.spend(MAP_STEPS)
    const map = new CelMap()
    for (const { key, item, isOptional } of parts) {
      const name = key(frame)
      const value = item(frame)
      if (!isOptional) insertEntry(map, name, value)
      else if (!(value instanceof CelOptional)) throw new CelError('no such overload')
      else if (value.value !== undefined) insertEntry(map, name, value.value)
    }
    return map
  }
}

function planStruct(node: CreateStruct, plan: Plan): Evaluate {
  const type = plan.checked.types.get(node) ?? ERROR
  const parts = node.fields.map(({ name, value, isOptional }) => ({
    name,
    item: plan.of(value),
    isOptional,
  }))
  return (frame) => {
    frame.spend(STRUCT_STEPS)
    const fields = new Map<string, CelValue>()
    for (const { name, item, isOptional } of parts) {
      const value = item(frame)
      if (!isOptional) fields.set(name, value)
      else if (!(value instanceof CelOptional)) throw new CelError('no such overload')
      else if (value.value !== undefined) fields.set(name, value.value)
    }
    return new CelStruct(type, fields)
  }
}

/**
 * Starts or continues the evaluation of a plan. Loops can absorb thousands of errors, so these
 * capture no stack.
 */
export function run(evaluate: Evaluate, frame: Frame): CelValue {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return evaluate(frame)
  } catch (error) {
    if (error instanceof Pause) frame.slice.isRepeating = true
    throw error
  } finally {
    Error.stackTraceLimit = limit
  }
}
