import { expect, test } from 'vitest'
import { restartDelay, retryDelay } from './retry-delay.ts'

test('pauses between attempts double up to five minutes', () => {
  expect([1, 2, 3, 9, 10, 1000].map(retryDelay)).toEqual([
    1000, 2000, 4000, 256_000, 300_000, 300_000,
  ])
})

test('the first restart has no pause, later ones double from ten seconds', () => {
  const delays = [0, 1, 2, 3, 10].map((restarts) => restartDelay({ restarts, ranMs: 1000 }))
  expect(delays).toEqual([0, 10_000, 20_000, 40_000, 300_000])
})

test('a workload that ran for ten minutes starts again without a pause', () => {
  expect(restartDelay({ restarts: 5, ranMs: 600_000 })).toBe(0)
})
