import { expect, it } from 'vitest'
import { newId } from './ids.ts'

it('consists of a 2 and 26 base62 characters', () => {
  for (let n = 0; n < 1000; n += 1) expect(newId(new Date())).toMatch(/^2[0-9A-Za-z]{26}$/)
})

it('sorts by the millisecond of creation in ASCII order', () => {
  const times = [0, 1, 1_000, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1]
  const ids = times.map((time) => newId(new Date(time)))
  expect(ids.toSorted()).toEqual(ids)
})

it('does not repeat within a millisecond', () => {
  const now = new Date()
  expect(new Set(Array.from({ length: 10_000 }, () => newId(now))).size).toBe(10_000)
})
