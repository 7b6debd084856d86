import { CelError } from '../cel-error.ts'
import type { Fold } from '../syntax/expression.ts'
import { isBinding } from '../syntax/macros.ts'
import { type CelValue, isList, isMap, keysOf, mapKeyOf } from '../values/value.ts'
import { attempt, type Evaluate, type Frame, type LoopPlace } from './frame.ts'
import { isUsedUp, Pause } from './meter.ts'
import type { Plan } from './plan.ts'
import { pause, repeatable } from './repeatable.ts'

/** The places of inner loops and calls that are cleared in the time of one step. */
const CLEARED_PER_STEP = 100

/** Compiles a loop. */
export function planFold(node: Fold, plan: Plan): Evaluate {
  if (isBinding(node)) return planBinding(node, plan)
  const range = plan.of(node.range)
  const initial = plan.of(node.initial)
  return plan.slots.inside([node.accumulator], ([accumulator = 0]) => {
    const names = node.second === null ? [node.variable] : [node.variable, node.second]
    const firstInner = plan.loops.count
    const body = plan.slots.inside(names, ([first = 0, second]) => ({
      first,
      second,
      condition: plan.of(node.condition),
      step: plan.of(node.step),
    }))
    const number = plan.loops.count
    plan.loops.count += 1
    const result = plan.of(node.result)
    // Only a condition that depends on the accumulator can absorb an error.
    const absorbs = node.condition.kind !== 'literal'
    const hasTwo = body.second !== undefined

    function iterate(frame: Frame, { items, keys, index: start }: LoopPlace): CelValue {
      let index = start
      try {
        for (; index < keys.length; index += 1) {
          if (isUsedUp(frame.slice)) throw pause(frame, number)
          const key = keys[index] ?? null
          frame.locals[body.first] = key
          if (body.second !== undefined) frame.locals[body.second] = itemAt(items, key, index)
          if (body.condition(frame) !== true) break
          frame.locals[accumulator] = absorbs ? attempt(body.step, frame) : body.step(frame)
          frame.loops.fill(undefined, firstInner, number)
          frame.slice.steps += (number - firstInner) / CLEARED_PER_STEP
        }
        return result(frame)
      } catch (error) {
        const accumulated = frame.locals[accumulator] ?? null
        if (error instanceof Pause) frame.loops[number] = { items, keys, index, accumulated }
        throw error
      }
    }

    return repeatable(number, (frame, place) => {
      if (place !== null && 'items' in place) {
        frame.locals[accumulator] = place.accumulated
        return iterate(frame, place)
      }
      const items = range(frame)
      const accumulated = initial(frame)
      frame.locals[accumulator] = accumulated
      const keys = keysOfRange(items, hasTwo)
      return iterate(frame, { items, keys, index: 0, accumulated })
    })
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
