import { expect, it } from 'vitest'
import { HEAD, nextPosition } from './next-position.ts'

const PLACE = { position: 5, count: 100, page: 20 }

it.each([
  ['ArrowDown', 6],
  ['j', 6],
  ['ArrowUp', 4],
  ['PageDown', 25],
  ['PageUp', 0],
  ['Home', 0],
  ['End', 99],
])('moves by %s to the row %s', (key, expected) => {
  expect(nextPosition(key, PLACE)).toBe(expected)
})

it('stays for other keys', () => {
  expect(nextPosition('x', PLACE)).toBeNull()
})

it('stays within the rows', () => {
  expect(nextPosition('ArrowDown', { ...PLACE, position: 99 })).toBe(99)
  expect(nextPosition('PageUp', { ...PLACE, position: 0 })).toBe(0)
})

it('moves from the first row to the columns, and back', () => {
  expect(nextPosition('ArrowUp', { ...PLACE, position: 0 })).toBe(HEAD)
  expect(nextPosition('ArrowDown', { ...PLACE, position: HEAD })).toBe(0)
})
