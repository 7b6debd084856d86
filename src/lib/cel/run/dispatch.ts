import { CelError } from '../cel-error.ts'
import type { Overload, Run } from '../functions/function.ts'
import { formatType, type Type } from '../types/type.ts'
import { CelObject, type CelValue, isList, isMap, typeOfValue } from '../values/value.ts'
import type { Evaluate } from './frame.ts'

type Test = (value: CelValue) => boolean

interface Candidate {
  readonly tests: readonly Test[]
  readonly run: Run
}

/** Calls the first overload whose parameters fit the arguments. */
export function dispatched(
  overloads: readonly Overload[],
  operands: readonly Evaluate[],
): Evaluate {
  const name = overloads[0]?.name ?? ''
  const candidates = overloads.map(({ parameters, run }) => ({
    tests: parameters.map(testOf),
    run,
  }))
  return (frame) => {
    const args: CelValue[] = []
    for (const operand of operands) args.push(operand(frame))
    frame.spend(1)
    for (const candidate of candidates) {
      if (fits(candidate, args)) return candidate.run(args, frame.spend)
    }
    const types = args.map((arg) => formatType(typeOfValue(arg))).join(', ')
    throw new CelError(`no such overload: ${name}(${types})`)
  }
}

function fits({ tests }: Candidate, args: readonly CelValue[]): boolean {
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
