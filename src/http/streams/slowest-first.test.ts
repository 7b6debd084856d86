import { expect, test } from 'vitest'
import { slowestFirst } from './slowest-first.ts'

test('closes clients that leave the most bytes first, then those without progress for longest', () => {
  const streams = [
    { name: 'reads', blockedBytes: 0, progressedAt: 1 },
    { name: 'blocked later', blockedBytes: 10, progressedAt: 7 },
    { name: 'blocked earlier', blockedBytes: 10, progressedAt: 3 },
    { name: 'blocked with the most', blockedBytes: 20, progressedAt: 8 },
  ]
  expect(slowestFirst(streams).map(({ name }) => name)).toEqual([
    'blocked with the most',
    'blocked earlier',
    'blocked later',
    'reads',
  ])
})
