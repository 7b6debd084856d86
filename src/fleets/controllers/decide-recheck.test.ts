import { expect, test } from 'vitest'
import { decideRecheck, isEmptied } from './decide-recheck.ts'
import { comparisonFixture, fleetFixture } from './fixtures.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const DONE = {
  fleet: fleetFixture(),
  comparison: comparisonFixture(),
  retryMs: null,
  isStuck: false,
}

test('a complete fleet is compared again after changes only', () => {
  expect(decideRecheck(DONE, NOW)).toBeNull()
})

test.each([
  ['failed members', { retryMs: 700 }, 700],
  ['a step without effect', { isStuck: true }, 250],
  [
    'members that newer servers declare',
    { comparison: comparisonFixture({ undeclared: ['a'] }) },
    30_000,
  ],
  ['names of foreign clusters', { comparison: comparisonFixture({ conflicts: ['a'] }) }, 5000],
  [
    'a lease that ends later',
    { comparison: comparisonFixture({ nextExpiry: '2026-01-01T00:00:03Z' }) },
    3000,
  ],
  [
    'a lease that has ended by this clock only',
    { comparison: comparisonFixture({ nextExpiry: '2025-12-31T23:59:59Z' }) },
    100,
  ],
])('is compared again for %s', (_name, change, expected) => {
  expect(decideRecheck({ ...DONE, ...change }, NOW)).toBe(expected)
})

test('a deleted fleet waits for its clusters only if it deletes them', () => {
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  const remaining = comparisonFixture({ wanted: 0, counts: { terminating: 1 } })
  const orphans = fleetFixture({ metadata })
  const deletes = fleetFixture({ metadata, spec: { deletionPolicy: 'Delete' } })
  expect(isEmptied(orphans, remaining)).toBe(true)
  expect(isEmptied(deletes, remaining)).toBe(false)
  expect(isEmptied(deletes, comparisonFixture({ wanted: 0 }))).toBe(true)
  expect(isEmptied(orphans, comparisonFixture({ wanted: 0, counts: { members: 1 } }))).toBe(false)
  expect(isEmptied(fleetFixture(), comparisonFixture({ wanted: 0 }))).toBe(false)
})
