import { expect, it } from 'vitest'
import { ageOf, humanDuration } from './human-duration.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

it.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [5 * MINUTE + 30, '5m30s'],
  [10 * MINUTE + 30, '10m'],
  [179 * MINUTE, '179m'],
  [3 * HOUR, '3h'],
  [7 * HOUR + 59 * MINUTE, '7h59m'],
  [8 * HOUR + 59 * MINUTE, '8h'],
  [47 * HOUR, '47h'],
  [2 * DAY + HOUR, '2d1h'],
  [8 * DAY + HOUR, '8d'],
  [729 * DAY, '729d'],
  [730 * DAY, '2y'],
  [735 * DAY, '2y5d'],
  [9 * 365 * DAY + 5 * DAY, '9y'],
])('R14: %i seconds are shown as %s', (seconds, expected) => {
  expect(humanDuration(seconds * 1000)).toBe(expected)
})

it('R14: ages of missing and malformed timestamps are named', () => {
  const now = new Date('2026-01-01T00:01:00Z')
  expect(ageOf('2026-01-01T00:00:00Z', now)).toBe('60s')
  expect(ageOf('', now)).toBe('<unknown>')
  expect(ageOf(undefined, now)).toBe('<unknown>')
  expect(ageOf('soon', now)).toBe('<invalid>')
})
