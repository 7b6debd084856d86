import { CelError } from '../cel-error.ts'
import type { Call } from '../syntax/expression.ts'
import { CelOptional } from '../values/value.ts'
import { attempt, type Evaluate, Failure } from './frame.ts'
import type { Plan } from './plan.ts'

/** Compiles an operator that does not evaluate all of its operands; null for other calls. */
export function planLogic(node: Call, plan: Plan): Evaluate | null {
  const { name, target, args } = node
  const [first, second, third] = args.map((_arg, index) => index)
  const operand = (index: number | undefined): Evaluate => {
    const arg = index === undefined ? undefined : args[index]
    return arg ? plan.of(arg) : () => null
  }
  switch (name) {
    case '_&&_':
    case '_||_':
      return either(operand(first), operand(second), name === '_||_')
    case '_?_:_':
      return conditional(operand(first), operand(second), operand(third))
    case '@not_strictly_false':
      return isNotFalse(operand(first))
    case 'or':
    case 'orValue':
      if (target === null || plan.checked.names.has(node)) return null
      return alternative(plan.of(target), operand(first), name === 'orValue')
    default:
      return null
  }
}

/** One operand with the decisive value is enough, even if the other one fails. */
function either(left: Evaluate, right: Evaluate, decisive: boolean): Evaluate {
  return (frame) => {
    const one = attempt(left, frame)
    if (one === decisive) return decisive
    const other = attempt(right, frame)
    if (other === decisive) return decisive
    for (const value of [one, other]) {
      if (value instanceof Failure) throw value.error
      if (typeof value !== 'boolean') throw new CelError('no such overload')
    }
    return !decisive
  }
}

function conditional(condition: Evaluate, truthy: Evaluate, falsy: Evaluate): Evaluate {
  return (frame) => {
    const value = condition(frame)
    if (typeof value !== 'boolean') throw new CelError('no such overload')
    return value ? truthy(frame) : falsy(frame)
  }
}

/** Whether a loop continues: errors can still be absorbed. */
function isNotFalse(operand: Evaluate): Evaluate {
  return (frame) => {
    frame.spend(1)
    return attempt(operand, frame) !== false
  }
}

function alternative(target: Evaluate, other: Evaluate, isValue: boolean): Evaluate {
  return (frame) => {
    frame.spend(1)
    const optional = target(frame)
    if (!(optional instanceof CelOptional)) throw new CelError('no such overload')
    if (optional.value === undefined) return other(frame)
    return isValue ? optional.value : optional
  }
}
