import { expect, it } from 'vitest'
import { createTrust } from './trust.ts'

/** Trust whose clock, in ms, is moved by hand. */
function trustAt() {
  const clock = { now: 0 }
  return { clock, trust: createTrust(() => clock.now) }
}

it('bears few failures', () => {
  const { trust } = trustAt()
  for (let turn = 0; turn < 100; turn += 1) trust.note(10, 1)
  expect(trust.isGiven()).toBe(true)
})

it('judges nobody by little', () => {
  const { trust } = trustAt()
  trust.note(63, 63)
  expect(trust.isGiven()).toBe(true)
})

it('rests for ten seconds after many failures, and judges anew', () => {
  const { trust, clock } = trustAt()
  trust.note(60, 0)
  trust.note(10, 8)
  expect(trust.isGiven()).toBe(false)
  clock.now = 9999
  expect(trust.isGiven()).toBe(false)
  clock.now = 10_000
  expect(trust.isGiven()).toBe(true)
  trust.note(60, 6)
  expect(trust.isGiven()).toBe(true)
  trust.note(60, 60)
  expect(trust.isGiven()).toBe(false)
})
