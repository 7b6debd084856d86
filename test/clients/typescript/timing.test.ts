import { describe, expect, test } from 'vitest'
import { backoff } from '../../../clients/typescript/src/http/backoff.ts'
import { retryAfterOf } from '../../../clients/typescript/src/http/retry-after.ts'
import { ServerClock } from '../../../clients/typescript/src/http/server-clock.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

describe('retryAfterOf', () => {
  test.each([
    ['3', 3000],
    ['Thu, 01 Jan 2026 12:00:10 GMT', 10_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads %s', (header, ms) => {
    expect(retryAfterOf(header, NOW)).toBe(ms)
  })
})

describe('backoff', () => {
  test('doubles up to 20 s, of which half is random', () => {
    const delays = [1, 2, 3, 20].map((failures) =>
      backoff({ failures, retryAfter: null, random: 0 }),
    )
    expect(delays).toEqual([100, 200, 400, 10_000])
    expect(backoff({ failures: 20, retryAfter: null, random: 1 })).toBe(20_000)
  })

  test('is never shorter than Retry-After, and never longer than a minute', () => {
    expect(backoff({ failures: 1, retryAfter: 5_000, random: 0 })).toBe(5_000)
    expect(backoff({ failures: 1, retryAfter: 3_600_000, random: 0 })).toBe(60_000)
  })
})

describe('the server clock', () => {
  const headers = (offset: number) => new Headers({ date: new Date(NOW + offset).toUTCString() })

  test('is the local clock while the Date headers allow it', () => {
    const clock = new ServerClock()
    clock.observe(headers(0), NOW + 100, NOW + 900)
    clock.observe(new Headers(), NOW, NOW)
    expect(clock.at(NOW + 900)).toEqual(new Date(NOW + 900))
  })

  test('follows a server whose clock differs, and its correction', () => {
    const clock = new ServerClock()
    clock.observe(headers(3_600_000), NOW, NOW)
    expect(clock.at(NOW)).toEqual(new Date(NOW + 3_600_500))
    clock.observe(headers(3_600_000), NOW + 200, NOW + 300)
    expect(clock.at(NOW)).toEqual(new Date(NOW + 3_600_500))
    clock.observe(headers(0), NOW, NOW)
    expect(clock.at(NOW)).toEqual(new Date(NOW))
  })
})
