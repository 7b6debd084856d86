import { expect, it } from 'vitest'
import { at } from './fixtures.ts'
import { initialConditions } from './synthesis/initial-conditions.ts'
import { sameConditions } from './same-conditions.ts'

const conditions = initialConditions(at(0))
const later = at(1).toISOString()

it('ignores last_updated_time', () => {
  const updated = conditions.map((condition) => ({ ...condition, last_updated_time: later }))
  expect(sameConditions(conditions, updated)).toBe(true)
})

it.each([
  { type: 'Other' },
  { status: 'True' as const },
  { reason: 'Other' },
  { message: 'Other' },
  { observed_generation: 1 },
  { created_time: later },
  { last_transition_time: later },
])('detects a change of %o', (change) => {
  const changed = conditions.map((condition) => ({ ...condition, ...change }))
  expect(sameConditions(conditions, changed)).toBe(false)
})

it('detects an added or removed condition', () => {
  expect(sameConditions(conditions, conditions.slice(1))).toBe(false)
  expect(sameConditions(conditions.slice(0, 1), conditions)).toBe(false)
})
