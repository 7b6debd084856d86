import type { Environment } from '@marcbachmann/cel-js'
import { isSameCelValue } from './same-cel-value.ts'

/** Receives the functions of sets: `sets.contains(a, b)`. */
class SetsNamespace {
  readonly name = 'sets'
}

type List = readonly unknown[]

/** Registers sets.contains, sets.equivalent and sets.intersects. */
export function registerSets(environment: Environment): void {
  environment
    .registerType('SetsNamespace', SetsNamespace)
    .registerConstant('sets', 'SetsNamespace', new SetsNamespace())
    .registerFunction(
      'SetsNamespace.contains(list, list): bool',
      (_sets, list: List, sub: List) => {
        return contains(list, sub)
      },
    )
    .registerFunction(
      'SetsNamespace.equivalent(list, list): bool',
      (_sets, one: List, other: List) => {
        return contains(one, other) && contains(other, one)
      },
    )
    .registerFunction(
      'SetsNamespace.intersects(list, list): bool',
      (_sets, one: List, other: List) => {
        return one.some((item) => other.some((candidate) => isSameCelValue(item, candidate)))
      },
    )
}

function contains(list: List, sub: List): boolean {
  return sub.every((item) => list.some((candidate) => isSameCelValue(item, candidate)))
}
