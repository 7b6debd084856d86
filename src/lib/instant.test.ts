import { expect, it } from 'vitest'
import { canonicalInstant, isInstant } from './instant.ts'

it.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.120Z', '2026-01-02T03:04:05.120Z'],
  ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456Z'],
  ['2026-01-02t03:04:05z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.5+05:30', '2026-01-01T21:34:05.5Z'],
  ['2026-01-02T03:04:05-08:00', '2026-01-02T11:04:05Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
])('puts %s in UTC with at most six digits', (text, canonical) => {
  expect(canonicalInstant(text)).toBe(canonical)
})

it.each([
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '2026-13-01T00:00:00Z',
  '2026-01-01',
  'yesterday',
])('refuses %s', (text) => {
  expect(isInstant(text)).toBe(false)
})
