import { expect, test } from 'vitest'
import { sortRows } from './sort-rows.ts'

const identity = <T>(value: T): T => value

test('numbers inside of texts count as numbers', () => {
  const names = ['feature-10', 'feature-1', 'feature-2']
  expect(sortRows(names, identity, false)).toEqual(['feature-1', 'feature-2', 'feature-10'])
  expect(sortRows(names, identity, true)).toEqual(['feature-10', 'feature-2', 'feature-1'])
})

test('rows without a value come last in both orders', () => {
  expect(sortRows([null, 3, 1], identity, false)).toEqual([1, 3, null])
  expect(sortRows([null, 3, 1], identity, true)).toEqual([3, 1, null])
})

test('numbers precede texts', () => {
  expect(sortRows(['<none>', 7], identity, false)).toEqual([7, '<none>'])
})
