import { expect, test } from 'vitest'
import { seriesWindow } from './series-window.ts'

const NOW = new Date('2026-11-29T12:00:30Z')

test.each([
  ['hour', '2026-11-29T12:00:30Z', '2026-11-29T11:00:00Z', 60, 60],
  ['day', '2026-11-29T12:00:30Z', '2026-11-28T12:00:00Z', 300, 288],
  ['week', '2026-11-29T12:00:30Z', '2026-11-22T12:00:00Z', 1800, 336],
  // These minutes are merged.
  ['hour', '2026-11-27T03:04:05Z', '2026-11-27T02:04:00Z', 600, 6],
  ['day', '2026-11-29T11:00:00Z', '2026-11-28T11:00:00Z', 600, 144],
] as const)('a range of one %s until %s', (range, end, from, stepSeconds, steps) => {
  expect(seriesWindow(range, new Date(end), NOW)).toMatchObject({
    from: new Date(from),
    stepSeconds,
    steps,
  })
})
