import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

test('the first change after a quiet time has no delay, later ones wait for the interval', () => {
  let now = 1000
  const pacer = createPacer({ intervalMs: 250, maxSize: 10, now: () => now })
  expect(pacer.delayOf('rl')).toBe(0)
  pacer.mark('rl')
  now += 100
  expect(pacer.delayOf('rl')).toBe(150)
  expect(pacer.delayOf('other')).toBe(0)
  now += 400
  expect(pacer.delayOf('rl')).toBe(0)
})
