import { CelError } from '../cel-error.ts'
import type { Fold } from '../syntax/expression.ts'
import { isBinding } from '../syntax/macros.ts'
import { type CelValue, isList, isMap, keysOf, mapKeyOf } from '../values/value.ts'
import { attempt, type Evaluate } from './frame.ts'
import type { Plan } from './plan.ts'

/** Compiles a loop. */
export function planFold(node: Fold, plan: Plan): Evaluate {
  if (isBinding(node)) return planBinding(node, plan)
  const range = plan.of(node.range)
  const initial = plan.of(node.initial)
  return plan.slots.inside([node.accumulator], ([accumulator = 0]) => {
    const names = node.second === null ? [node.variable] : [node.variable, node.second]
    const body = plan.slots.inside(names, ([first = 0, second]) => ({
      first,
      second,
      condition: plan.of(node.condition),
      step: plan.of(node.step),
    }))
    const result = plan.of(node.result)
    // Only a condition that depends on the accumulator can absorb an error.
    const absorbs = node.condition.kind !== 'literal'
    return (frame) => {
      const items = range(frame)
      frame.locals[accumulator] = initial(frame)
      const keys = keysOfRange(items, body.second !== undefined)
      for (const [index, key] of keys.entries()) {
        frame.locals[body.first] = key
        if (body.second !== undefined) frame.locals[body.second] = itemAt(items, key, index)
        if (body.condition(frame) !== true) break
        frame.locals[accumulator] = absorbs ? attempt(body.step, frame) : body.step(frame)
      }
      return result(frame)
    }
  })
}

/** The values of the first variable: items of lists and keys of maps, or positions and keys. */
function keysOfRange(range: CelValue, hasTwo: boolean): readonly CelValue[] {
  if (isMap(range)) return keysOf(range)
  if (!isList(range)) throw new CelError('no such overload')
  return hasTwo ? range.map((_item, index) => BigInt(index)) : range
}

function itemAt(range: CelValue, key: CelValue, index: number): CelValue {
  if (isList(range)) return range[index] ?? null
  const plain = mapKeyOf(key)
  return isMap(range) && plain !== undefined ? (range.get(plain) ?? null) : null
}

function planBinding(node: Fold, plan: Plan): Evaluate {
  const initial = plan.of(node.initial)
  return plan.slots.inside([node.accumulator], ([slot = 0]) => {
    const body = plan.of(node.result)
    return (frame) => {
      frame.locals[slot] = attempt(initial, frame)
      return body(frame)
    }
  })
}
