import { expect, test } from 'vitest'
import { memoryGrowth } from './memory-growth.ts'

/** A sample per 30 seconds. */
function growthOf(values: readonly number[]): number | null {
  return memoryGrowth(values.map((value, index) => ({ seconds: (index + 1) * 30, value })))
}

test('sees a leak of half a megabyte per round', () => {
  const leaking = Array.from({ length: 20 }, (_, round) => 15 + round * 0.5)
  expect(growthOf(leaking)).toBeCloseTo(5)
})

test('ignores the caches that fill in the first half', () => {
  const filled = Array.from({ length: 20 }, (_, round) => Math.min(15 + round, 22))
  expect(growthOf(filled)).toBe(0)
})

test('ignores a sample before a collection', () => {
  const flat = Array.from({ length: 20 }, () => 15)
  expect(growthOf(flat.with(19, 40))).toBe(0)
  expect(growthOf(flat.with(12, 40))).toBe(0)
})

test('needs four samples in the second half', () => {
  expect(growthOf([15, 15, 15, 15, 15])).toBeNull()
  expect(growthOf([15, 15, 15, 15, 15, 15, 15])).toBe(0)
})
