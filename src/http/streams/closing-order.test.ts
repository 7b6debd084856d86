import { expect, test } from 'vitest'
import { inClosingOrder } from './closing-order.ts'

test('puts streams with the most blocked bytes first, then those longest without progress', () => {
  const streams = [
    { name: 'reads', blockedBytes: 0, progressedAt: 1 },
    { name: 'blocked later', blockedBytes: 10, progressedAt: 7 },
    { name: 'blocked earlier', blockedBytes: 10, progressedAt: 3 },
    { name: 'blocked with the most', blockedBytes: 20, progressedAt: 8 },
  ]
  expect(inClosingOrder(streams).map(({ name }) => name)).toEqual([
    'blocked with the most',
    'blocked earlier',
    'blocked later',
    'reads',
  ])
})
