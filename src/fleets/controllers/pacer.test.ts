import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

const OPTIONS = { intervalMs: 250, maxMs: 1000, pausePerRun: 4, maxSize: 10 }

test('the first change after a quiet time has no delay, later ones wait for the interval', () => {
  let now = 1000
  const pacer = createPacer({ ...OPTIONS, now: () => now })
  expect(pacer.delayOf('rl')).toBe(0)
  pacer.begin('rl')
  now += 100
  expect(pacer.delayOf('rl')).toBe(150)
  expect(pacer.delayOf('other')).toBe(0)
  now += 400
  expect(pacer.delayOf('rl')).toBe(0)
})

test('the delay grows with the duration of the last run, up to a limit', () => {
  let now = 1000
  const pacer = createPacer({ ...OPTIONS, now: () => now })
  pacer.begin('large')
  now += 200
  pacer.end('large')
  expect(pacer.delayOf('large')).toBe(800)
  pacer.begin('large')
  now += 20_000
  pacer.end('large')
  expect(pacer.delayOf('large')).toBe(1000)
  pacer.begin('small')
  now += 10
  pacer.end('small')
  expect(pacer.delayOf('small')).toBe(250)
})
