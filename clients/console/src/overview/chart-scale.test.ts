import { describe, expect, it } from 'vitest'
import { chartPoints, linePath, niceMaximum } from './chart-scale.ts'

describe('the scale of a chart', () => {
  it.each([
    [0, 4],
    [4, 4],
    [7, 8],
    [11, 20],
    [312, 400],
    [1708, 2000],
    [100_000, 100_000],
  ])('ends for %d at %d', (value, expected) => {
    expect(niceMaximum(value)).toBe(expected)
  })

  it('spreads the values over the width, with zero at the bottom', () => {
    const points = chartPoints([0, 5, 10], { width: 100, height: 50, maximum: 10 })
    expect(points).toEqual([
      { x: 0, y: 50 },
      { x: 50, y: 25 },
      { x: 100, y: 0 },
    ])
    expect(linePath(points)).toBe('M0 50L50 25L100 0')
  })

  it('draws nothing without values', () => {
    expect(linePath(chartPoints([], { width: 100, height: 50, maximum: 4 }))).toBe('')
  })
})
