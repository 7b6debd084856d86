import { expect, test } from 'vitest'
import { columnTracks, gridWidth } from './grid-width.ts'
import { nameWidth } from './name-width.ts'

const COLUMNS = [
  { id: 'name', width: 'auto' },
  { id: 'reason', width: 'minmax(120px, 2.4fr)' },
]

test('the longest name is complete, and other columns shorten', () => {
  const width = nameWidth(['lisbon', 'payments-prod-useast1-100'])
  expect(width).toBeGreaterThan(25 * 7)
  expect(columnTracks(COLUMNS, {}, width)).toEqual([
    `minmax(${width}px, 1.6fr)`,
    'minmax(120px, 2.4fr)',
  ])
})

test('a chosen width replaces that of the column', () => {
  const tracks = columnTracks(COLUMNS, { name: 90.5 }, 300)
  expect(tracks).toEqual(['90.5px', 'minmax(120px, 2.4fr)'])
  expect(gridWidth(tracks)).toBe(90.5 + 120 + 14 + 40)
})
