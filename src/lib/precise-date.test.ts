import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { microsecondsOf, PreciseDate, preciseDateOf, timeOfMicroseconds } from './precise-date.ts'

/** Microseconds since 1970, in the years 1000 to 9999. */
const totals = fc.integer({ min: -30_610_224_000_000_000, max: 9_007_199_254_740_991 })

describe('a precise date', () => {
  it('has six fractional digits', () => {
    expect(new PreciseDate(1_000, 7).toISOString()).toBe('1970-01-01T00:00:01.000007Z')
    expect(new PreciseDate(1_000, 0).toISOString()).toBe('1970-01-01T00:00:01.000000Z')
    expect(JSON.stringify(new PreciseDate(0, 250))).toBe('"1970-01-01T00:00:00.000250Z"')
  })

  it('compares by microseconds', () => {
    const now = Date.parse('2026-11-24T12:00:00.123Z')
    for (let microseconds = 1; microseconds < 1000; microseconds += 1) {
      const [one, two] = [microseconds - 1, microseconds].map((us) => new PreciseDate(now, us))
      expect(Number(one) < Number(two)).toBe(true)
      expect(Number(two) < now + 1).toBe(true)
    }
  })

  it('is read from the text that it writes', () => {
    fc.assert(
      fc.property(totals, (total) => {
        const time = timeOfMicroseconds(total)
        const read = preciseDateOf(time.toISOString())
        expect([read.getTime(), microsecondsOf(read)]).toEqual([
          time.getTime(),
          microsecondsOf(time),
        ])
      }),
    )
  })
})

describe('a time is read', () => {
  it.each([
    ['2026-11-24 12:00:00.123456+00', '2026-11-24T12:00:00.123456Z'],
    ['2026-11-24 12:00:00.1+00', '2026-11-24T12:00:00.100000Z'],
    ['2026-11-24 12:00:00+00', '2026-11-24T12:00:00.000000Z'],
    ['2026-11-24 12:00:00.00005+05:30', '2026-11-24T06:30:00.000050Z'],
    ['2026-11-24T12:00:00.123456+00:00', '2026-11-24T12:00:00.123456Z'],
    ['2026-11-24T12:00:00.123456789Z', '2026-11-24T12:00:00.123456Z'],
  ])('from %s', (text, expected) => {
    expect(preciseDateOf(text).toISOString()).toBe(expected)
  })

  it('never from other texts', () => {
    expect(preciseDateOf('infinity').getTime()).toBeNaN()
  })
})
