import { expect, test } from 'vitest'
import { decideExpiry } from './decide-expiry.ts'
import { fleetFixture } from './fixtures.ts'

const NOW = new Date('2026-01-01T00:01:00Z')

test('a fleet without a time to live never expires', () => {
  expect(decideExpiry(fleetFixture(), NOW)).toBeNull()
})

test('a time to live starts at the creation by default', () => {
  expect(decideExpiry(fleetFixture({ spec: { ttlSeconds: 90 } }), NOW)).toBe(30_000)
})

test('a time to live below the age has ended', () => {
  expect(decideExpiry(fleetFixture({ spec: { ttlSeconds: 0 } }), NOW)).toBe(-60_000)
})

test.each([
  ['Ready', { readyTime: '2026-01-01T00:00:50Z' }],
  ['Claimed', { firstClaimTime: '2026-01-01T00:00:50Z' }],
])('a time to live from %s starts with the recorded time', (ttlFrom, status) => {
  const spec = { ttlSeconds: 20, ttlFrom }
  expect(decideExpiry(fleetFixture({ spec }), NOW)).toBeNull()
  expect(decideExpiry(fleetFixture({ spec, status }), NOW)).toBe(10_000)
})

test('neither a paused nor a deleted fleet expires', () => {
  expect(decideExpiry(fleetFixture({ spec: { ttlSeconds: 0, paused: true } }), NOW)).toBeNull()
  const metadata = { deletionTimestamp: '2026-01-01T00:00:30Z' }
  expect(decideExpiry(fleetFixture({ spec: { ttlSeconds: 0 }, metadata }), NOW)).toBeNull()
})
