import { CelError } from '../cel-error.ts'
import { type CelObject, CelUint, type CelValue, isList, isMap } from '../values/value.ts'

/** The arguments of a function with the types of its signature; others are an error. */

export function textAt(args: readonly CelValue[], index: number): string {
  const value = args[index]
  if (typeof value !== 'string') throw noOverload()
  return value
}

export function intAt(args: readonly CelValue[], index: number): bigint {
  const value = args[index]
  if (typeof value !== 'bigint') throw noOverload()
  return value
}

export function doubleAt(args: readonly CelValue[], index: number): number {
  const value = args[index]
  if (typeof value !== 'number') throw noOverload()
  return value
}

export function boolAt(args: readonly CelValue[], index: number): boolean {
  const value = args[index]
  if (typeof value !== 'boolean') throw noOverload()
  return value
}

export function uintAt(args: readonly CelValue[], index: number): bigint {
  return objectAt(args, index, CelUint).value
}

export function bytesAt(args: readonly CelValue[], index: number): Uint8Array {
  const value = args[index]
  if (!(value instanceof Uint8Array)) throw noOverload()
  return value
}

export function listAt(args: readonly CelValue[], index: number): readonly CelValue[] {
  const value = args[index]
  if (value === undefined || !isList(value)) throw noOverload()
  return value
}

export function mapAt(args: readonly CelValue[], index: number) {
  const value = args[index]
  if (value === undefined || !isMap(value)) throw noOverload()
  return value
}

export function valueAt(args: readonly CelValue[], index: number): CelValue {
  return args[index] ?? null
}

export function objectAt<Item extends CelObject>(
  args: readonly CelValue[],
  index: number,
  constructor: abstract new (...args: never[]) => Item,
): Item {
  const value = args[index]
  if (!(value instanceof constructor)) throw noOverload()
  return value
}

export function noOverload(): CelError {
  return new CelError('no such overload')
}
