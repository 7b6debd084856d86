import { expect, it } from 'vitest'
import { indexAfterKey, indexAt, layoutGrid } from './grid-layout.ts'

it('makes the squares of small fleets large and those of large fleets dense', () => {
  expect(layoutGrid(12, 1000).pitch).toBe(28)
  const large = layoutGrid(10_000, 1000)
  expect(large.pitch).toBeGreaterThanOrEqual(6)
  expect(large.columns * large.rows).toBeGreaterThanOrEqual(10_000)
})

it('fits every width, also on a phone', () => {
  for (const width of [0, 5, 360, 1200]) {
    const { columns, pitch } = layoutGrid(10_000, width)
    expect(columns).toBeGreaterThanOrEqual(1)
    expect(columns * pitch).toBeLessThanOrEqual(Math.max(width, pitch))
  }
})

it('finds the square at a point', () => {
  const layout = { count: 5, columns: 3, rows: 2, pitch: 10, gap: 2 }
  expect(indexAt(layout, 15, 12)).toBe(4)
  expect(indexAt(layout, 25, 12)).toBeNull()
  expect(indexAt(layout, 31, 2)).toBeNull()
  expect(indexAt(layout, -1, 2)).toBeNull()
})

it('moves with the keys and stays inside', () => {
  const layout = { count: 5, columns: 3, rows: 2, pitch: 10, gap: 2 }
  expect(indexAfterKey(layout, 0, 'ArrowLeft')).toBe(0)
  expect(indexAfterKey(layout, 0, 'ArrowDown')).toBe(3)
  expect(indexAfterKey(layout, 2, 'ArrowDown')).toBe(2)
  expect(indexAfterKey(layout, 0, 'End')).toBe(4)
  expect(indexAfterKey(layout, 4, 'ArrowRight')).toBe(4)
  expect(indexAfterKey(layout, 0, 'a')).toBeNull()
})
