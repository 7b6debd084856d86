import { expect, test } from 'vitest'
import { figuresOf, formatRate, formatSeconds, timesOf } from './chart-line.ts'

test('each value has the time at the end of its step', () => {
  const times = timesOf({
    kind: 'SeriesList',
    range: 'hour',
    from: '2026-11-29T11:00:00.000Z',
    to: '2026-11-29T12:00:00.000Z',
    step_seconds: 600,
    kinds: [],
    adapters: [],
  })
  expect(times).toHaveLength(6)
  expect(times.at(-1)).toBe(Date.parse('2026-11-29T12:00:00Z') / 1000)
})

test('steps without a record count in no figure', () => {
  expect(figuresOf({ label: '', values: [null, 4, 0, null] })).toEqual({
    last: 0,
    highest: 4,
    average: 2,
  })
  expect(figuresOf({ label: '', values: [null] }).last).toBeNull()
})

test.each([
  [formatRate(0.0333), '0.033'],
  [formatRate(12.345), '12.3'],
  [formatRate(1234.5), '1,235'],
  [formatSeconds(0.25), '250 ms'],
  [formatSeconds(90), '90 s'],
  [formatSeconds(600), '10 min'],
  [formatSeconds(9000), '2.5 h'],
])('formats a figure as %s', (text, expected) => {
  expect(text).toBe(expected)
})
