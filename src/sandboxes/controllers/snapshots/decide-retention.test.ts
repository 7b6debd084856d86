import { expect, test } from 'vitest'
import { decideRetention, type RetainedSnapshot } from './decide-retention.ts'

const NOW = new Date('2026-01-01T01:00:00Z')

function snapshot(name: string, ageMinutes: number, more: Partial<RetainedSnapshot> = {}) {
  const createdAt = new Date(NOW.getTime() - ageMinutes * 60_000)
  return { name, createdAt, isFailed: false, isNeeded: false, ...more }
}

const FOUR = [snapshot('d', 40), snapshot('a', 10), snapshot('c', 30), snapshot('b', 20)]

test('keeps the newest snapshots', () => {
  expect(decideRetention(FOUR, { keepLast: 3, ttlSeconds: null }, NOW)).toEqual({
    surplus: ['d'],
    nextExpiryMs: null,
  })
})

test('never removes a needed snapshot, which counts for the limit', () => {
  const snapshots = [...FOUR, snapshot('e', 50, { isNeeded: true })]
  expect(decideRetention(snapshots, { keepLast: 3, ttlSeconds: 60 }, NOW).surplus).not.toContain(
    'e',
  )
  const newest = [snapshot('z', 1, { isNeeded: true }), ...FOUR]
  expect(decideRetention(newest, { keepLast: 1, ttlSeconds: null }, NOW).surplus).toEqual([
    'a',
    'b',
    'c',
    'd',
  ])
})

test('removes expired snapshots and names the time of the next expiry', () => {
  expect(decideRetention(FOUR, { keepLast: 5, ttlSeconds: 1500 }, NOW)).toEqual({
    surplus: ['d', 'c'],
    nextExpiryMs: 300_000,
  })
})

test('counts failed snapshots separately', () => {
  const failed = [1, 2, 3].map((age) => snapshot(`f${age}`, age, { isFailed: true }))
  expect(decideRetention([...FOUR, ...failed], { keepLast: 2, ttlSeconds: null }, NOW)).toEqual({
    surplus: ['c', 'd', 'f3'],
    nextExpiryMs: null,
  })
})

test('keeps no snapshot except needed ones if the limit is 0', () => {
  const snapshots = [...FOUR, snapshot('e', 50, { isNeeded: true })]
  const { surplus } = decideRetention(snapshots, { keepLast: 0, ttlSeconds: null }, NOW)
  expect(surplus.toSorted()).toEqual(['a', 'b', 'c', 'd'])
})
