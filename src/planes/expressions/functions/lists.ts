import type { Environment } from '@marcbachmann/cel-js'
import { isSameCelValue } from './same-cel-value.ts'

type Ordered = bigint | number | string | boolean | Date

/** Registers isSorted, sum, min, max, indexOf and lastIndexOf of lists. */
export function registerLists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly Ordered[]) => {
      return list.every((item, index) => index === 0 || !isLess(item, list[index - 1]))
    })
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly Ordered[]) => {
      return best(list, 'min', isLess)
    })
    .registerFunction('list.max(): dyn', (list: readonly Ordered[]) => {
      return best(list, 'max', (one, other) => isLess(other, one))
    })
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) => {
      return BigInt(list.findIndex((other) => isSameCelValue(item, other)))
    })
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) => {
      return BigInt(list.findLastIndex((other) => isSameCelValue(item, other)))
    })
}

function isLess(one: Ordered | undefined, other: Ordered | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return one < other
}

function sum(list: readonly unknown[]): bigint | number {
  if (list.every((item) => typeof item === 'bigint')) {
    return list.reduce((total, item) => total + item, 0n)
  }
  if (list.every((item) => typeof item === 'number')) {
    return list.reduce((total, item) => total + item, 0)
  }
  throw new Error('sum requires a list of numbers of one type')
}

function best(
  list: readonly Ordered[],
  name: string,
  isBetter: (one: Ordered, other: Ordered) => boolean,
): Ordered {
  const [first, ...rest] = list
  if (first === undefined) throw new Error(`${name} called on empty list`)
  return rest.reduce((found, item) => (isBetter(item, found) ? item : found), first)
}
