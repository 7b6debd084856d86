import { expect, it } from 'vitest'
import { formatBytes } from './format-bytes.ts'

it('writes sizes with the largest fitting unit', () => {
  expect([0, 900, 1500, 20_480, 5 * 2 ** 30].map(formatBytes)).toEqual([
    '0 B',
    '900 B',
    '1.5 KiB',
    '20 KiB',
    '5.0 GiB',
  ])
  expect(formatBytes(undefined)).toBe('')
})
