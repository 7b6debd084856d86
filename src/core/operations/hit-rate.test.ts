import { expect, it } from 'vitest'
import { createHitRate } from './hit-rate.ts'

it('is low once most items of recent pages were not cached, and recovers', () => {
  const rate = createHitRate()
  expect(rate.isLow()).toBe(false)
  for (let page = 0; page < 10; page += 1) rate.note(0, 20)
  expect(rate.isLow()).toBe(true)
  for (let page = 0; page < 10; page += 1) rate.note(20, 20)
  expect(rate.isLow()).toBe(false)
})

it('does not change with empty pages', () => {
  const rate = createHitRate()
  for (let page = 0; page < 100; page += 1) rate.note(0, 0)
  expect(rate.isLow()).toBe(false)
})
