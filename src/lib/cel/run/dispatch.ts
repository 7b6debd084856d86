import { CelError } from '../cel-error.ts'
import type { LongRun, Overload, Parts, Run } from '../functions/function.ts'
import { formatType, type Type } from '../types/type.ts'
import type { Spend } from '../values/compare-values.ts'
import { CelObject, type CelValue, isList, isMap, typeOfValue } from '../values/value.ts'
import { type Evaluate, Failure, type Frame } from './frame.ts'
import { isUsedUp } from './meter.ts'
import type { Plan } from './plan.ts'
import { pause, repeatable } from './repeatable.ts'

type Test = (value: CelValue) => boolean

/** An overload with one kind of implementation. */
interface Callable<Call> extends Pick<Overload, 'name' | 'parameters'> {
  readonly run: Call
}

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
  const short = overloads.flatMap(({ run, ...overload }) => {
    return typeof run === 'function' ? [{ ...overload, run }] : []
  })
  if (short.length < overloads.length) return long(overloads, operands, number)
  const choose = chooser(short)
  const call = (frame: Frame): CelValue => {
    const args = argumentsOf(frame, operands)
    const { slice } = frame
    const before = slice.steps
    const value = attempted(choose(args), args, frame, number)
    const hasPaused = isUsedUp(slice)
    if (hasPaused || slice.steps - before >= STEPS_TO_KEEP) frame.loops[number] = { value }
    if (hasPaused) throw pause(frame, number)
    return value
  }
  const again = repeatable(number, call)
  return (frame) => (frame.loops[number] === undefined ? call(frame) : again(frame))
}

/** The result of a call; its error is kept for repetitions. */
function attempted(run: Run, args: readonly CelValue[], frame: Frame, number: number): CelValue {
  try {
    return run(args, frame.spend)
  } catch (error) {
    if (error instanceof CelError) frame.loops[number] = new Failure(error)
    throw error
  }
}

/** A call that can pause, as loops do. */
function long(
  overloads: readonly Overload[],
  operands: readonly Evaluate[],
  number: number,
): Evaluate {
  const choose = chooser(overloads)
  const begin = (frame: Frame): Parts => {
    const args = argumentsOf(frame, operands)
    return partsOf(choose(args), args, frame.spend)
  }
  return repeatable(number, (frame, place) => {
    const parts = place !== null && 'parts' in place ? place.parts : begin(frame)
    for (;;) {
      const part = parts.next()
      if (part.done === true) return part.value
      frame.slice.steps += part.value ?? 0
      if (!isUsedUp(frame.slice)) continue
      frame.loops[number] = { parts }
      throw pause(frame, number)
    }
  })
}

/** An overload that takes little time has one part. */
function* partsOf(run: Run | LongRun, args: readonly CelValue[], spend: Spend): Parts {
  return typeof run === 'function' ? run(args, spend) : yield* run.parts(args, spend)
}

function argumentsOf(frame: Frame, operands: readonly Evaluate[]): readonly CelValue[] {
  const args: CelValue[] = []
  for (const operand of operands) args.push(operand(frame))
  frame.spend(1)
  return args
}

function chooser<Call>(overloads: readonly Callable<Call>[]): (args: readonly CelValue[]) => Call {
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
