import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

const LIMIT = { perSecond: 2, burst: 3 }

function limiterAt(maxKeys = 10) {
  const clock = { ms: 1_000_000 }
  return { clock, limiter: createRateLimiter({ maxKeys, now: () => clock.ms }) }
}

function takeMany(take: () => number, count: number): readonly number[] {
  return Array.from({ length: count }, take)
}

test('allows a burst, then returns the time until the next token', () => {
  const { limiter } = limiterAt()
  expect(takeMany(() => limiter.take('a', LIMIT), 5)).toEqual([0, 0, 0, 500, 500])
})

test('gains tokens with time, at most the burst', () => {
  const { clock, limiter } = limiterAt()
  takeMany(() => limiter.take('a', LIMIT), 3)
  clock.ms += 500
  expect(takeMany(() => limiter.take('a', LIMIT), 2)).toEqual([0, 500])
  clock.ms += 60_000
  expect(takeMany(() => limiter.take('a', LIMIT), 4)).toEqual([0, 0, 0, 500])
})

test('allows exactly the rate over a long time', () => {
  const { clock, limiter } = limiterAt()
  let allowed = 0
  for (let step = 0; step < 10_000; step += 1) {
    if (limiter.take('a', LIMIT) === 0) allowed += 1
    clock.ms += 10
  }
  expect(allowed).toBe(3 + 2 * 100 - 1)
})

test('limits each key separately', () => {
  const { limiter } = limiterAt()
  takeMany(() => limiter.take('a', LIMIT), 4)
  expect(limiter.take('b', LIMIT)).toBe(0)
})

test('forgets the least recently used key beyond its size, but not one that keeps asking', () => {
  const { limiter } = limiterAt(2)
  takeMany(() => limiter.take('idle', LIMIT), 3)
  takeMany(() => limiter.take('busy', LIMIT), 3)
  limiter.take('busy', LIMIT)
  limiter.take('new', LIMIT)
  expect(limiter.take('busy', LIMIT)).toBe(500)
  expect(limiter.take('idle', LIMIT)).toBe(0)
})

test('applies a new limit to keys that had exhausted the old one', () => {
  const { limiter } = limiterAt()
  takeMany(() => limiter.take('a', { perSecond: 0.01, burst: 100 }), 100)
  expect(limiter.take('a', { perSecond: 1000, burst: 10 })).toBeLessThanOrEqual(1)
})
