import { CelError } from '../cel-error.ts'
import {
  CelDuration,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  isList,
  isMap,
} from '../values/value.ts'
import { valueAt } from './arguments.ts'
import type { Declarations } from './function.ts'
import { optionalAt } from './operators.ts'

/** Optional values. `or` and `orValue` evaluate their argument only if it is needed. */
export const OPTIONALS: Declarations = [
  ['optional.none(): optional<A>', () => CelOptional.NONE],
  ['optional.of(A): optional<A>', (args) => new CelOptional(valueAt(args, 0))],
  [
    'optional.ofNonZeroValue(A): optional<A>',
    (args) => (isZero(valueAt(args, 0)) ? CelOptional.NONE : new CelOptional(valueAt(args, 0))),
  ],
  [
    'optional.unwrap(list<optional<A>>): list<A>',
    (args, spend) => unwrapped(valueAt(args, 0), spend),
  ],
  ['list<optional<A>>#unwrapOpt(): list<A>', (args, spend) => unwrapped(valueAt(args, 0), spend)],
  ['optional<A>#hasValue(): bool', (args) => optionalAt(args, 0).value !== undefined],
  ['optional<A>#value(): A', (args) => valueOfOptional(optionalAt(args, 0))],
  ['optional<A>#or(optional<A>): optional<A>', (args) => optionalAt(args, 0)],
  ['optional<A>#orValue(A): A', (args) => valueOfOptional(optionalAt(args, 0))],
]

function valueOfOptional({ value }: CelOptional): CelValue {
  if (value === undefined) throw new CelError('optional.none() dereference')
  return value
}

function unwrapped(list: CelValue, spend: (steps: number) => void): CelValue {
  if (!isList(list)) throw new CelError('no such overload')
  spend(1 + list.length)
  const values: CelValue[] = []
  for (const item of list) {
    if (item instanceof CelOptional && item.value !== undefined) values.push(item.value)
  }
  return values
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true
  if (isList(value) || value instanceof Uint8Array) return value.length === 0
  if (isMap(value)) return value.size === 0
  if (value instanceof CelUint) return value.value === 0n
  if (value instanceof CelOptional) return value.value === undefined
  return (value instanceof CelDuration || value instanceof CelTimestamp) && value.nanos === 0n
}
