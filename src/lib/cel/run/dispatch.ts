import { CelError } from '../cel-error.ts'
import { LongCall, type Overload, type Run } from '../functions/function.ts'
import { formatType, type Type } from '../types/type.ts'
import { CelObject, type CelValue, isList, isMap, typeOfValue } from '../values/value.ts'
import { type Evaluate, Failure, type Frame } from './frame.ts'
import { isUsedUp } from './meter.ts'
import type { Plan } from './plan.ts'
import { pause, repeatable } from './repeatable.ts'

type Test = (value: CelValue) => boolean

/** Results of calls that took at least this many steps are kept for repetitions. */
const STEPS_TO_KEEP = 20

/** Calls the first overload whose parameters fit the arguments. */
export function dispatched(
  overloads: readonly Overload[],
  operands: readonly Evaluate[],
  plan: Plan,
): Evaluate {
  const number = plan.loops.count
  plan.loops.count += 1
  const choose = chooser(overloads)
  const call = (frame: Frame): CelValue => {
    const args = argumentsOf(frame, operands)
    const { slice } = frame
    const before = slice.steps
    const value = attempted(choose(args), args, frame, number)
    if (value instanceof LongCall) {
      frame.loops[number] = value
      return again(frame)
    }
    const hasPaused = isUsedUp(slice)
    if (hasPaused || slice.steps - before >= STEPS_TO_KEEP) frame.loops[number] = { value }
    if (hasPaused) throw pause(frame, number)
    return value
  }
  const again = repeatable(number, (frame, place) =>
    place instanceof LongCall ? finished(place, frame, number) : call(frame),
  )
  return (frame) => (frame.loops[number] === undefined ? call(frame) : again(frame))
}

/** The result of a call; its error is kept for repetitions. */
// oxlint-disable-next-line max-params -- called for each call of an expression: no object per call
function attempted(
  run: Run,
  args: readonly CelValue[],
  frame: Frame,
  number: number,
): CelValue | LongCall {
  try {
    return run(args, frame.spend)
  } catch (error) {
    if (error instanceof CelError) frame.loops[number] = new Failure(error)
    throw error
  }
}

/** The result of a long call, which pauses as loops do. */
function finished(place: LongCall, frame: Frame, number: number): CelValue {
  for (;;) {
    const part = place.parts.next()
    if (part.done === true) return part.value
    frame.slice.steps += part.value ?? 0
    if (!isUsedUp(frame.slice)) continue
    frame.loops[number] = place
    throw pause(frame, number)
  }
}

function argumentsOf(frame: Frame, operands: readonly Evaluate[]): readonly CelValue[] {
  const args: CelValue[] = []
  for (const operand of operands) args.push(operand(frame))
  frame.spend(1)
  return args
}

function chooser(overloads: readonly Overload[]): (args: readonly CelValue[]) => Run {
  const name = overloads[0]?.name ?? ''
  const candidates = overloads.map(({ parameters, run }) => ({
    tests: parameters.map(testOf),
    run,
  }))
  return (args) => {
    for (const { tests, run } of candidates) if (fits(tests, args)) return run
    const types = args.map((arg) => formatType(typeOfValue(arg))).join(', ')
    throw new CelError(`no such overload: ${name}(${types})`)
  }
}

function fits(tests: readonly Test[], args: readonly CelValue[]): boolean {
  for (let index = 0; index < args.length; index += 1) {
    const value = args[index]
    if (value === undefined || tests[index]?.(value) === false) return false
  }
  return true
}

const ANY: Test = () => true

const TESTS: Readonly<Record<Exclude<Type['kind'], 'opaque'>, Test | null>> = {
  dyn: ANY,
  param: ANY,
  string: (value) => typeof value === 'string',
  int: (value) => typeof value === 'bigint',
  double: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  null_type: (value) => value === null,
  list: isList,
  map: isMap,
  bytes: (value) => value instanceof Uint8Array,
  error: () => false,
  uint: null,
  duration: null,
  timestamp: null,
  type: null,
  struct: null,
}

/** Tests a value for a type, regardless of the types of items. */
function testOf({ kind, name }: Type): Test {
  const test = kind === 'opaque' ? null : TESTS[kind]
  return test ?? ((value) => value instanceof CelObject && value.type.name === name)
}
